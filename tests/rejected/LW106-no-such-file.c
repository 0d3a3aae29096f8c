// arguments: no-such-file.c
