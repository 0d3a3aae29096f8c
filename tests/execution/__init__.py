"""The execution oracle: does the model predict what the compiled program really does?

``oracle`` runs programs and compares; ``programs`` makes random ones; ``fuzz`` does it at length.
Nothing here uses loopwright's front end to find its way in the source: an oracle that shares code
with what it judges proves nothing.
"""
