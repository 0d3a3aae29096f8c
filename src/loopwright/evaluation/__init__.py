"""What a function computes, without running it: its text is evaluated, in the meaning of C."""
