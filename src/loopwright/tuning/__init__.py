"""What is known about the machine, and programs compiled and measured on it."""
