"""Dependence analysis against brute force.

``trace`` says what each instance of a run touches, ``brute_force`` derives the dependences from
that by their definitions, ``comparison`` holds the relations of the model against them.
"""
