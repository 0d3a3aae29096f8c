"""From generated loops to the text that replaces a region of the user's program."""
