"""What loopwright found out, told to people and to other programs."""
