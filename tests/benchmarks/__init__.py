"""The benchmarks run, and judge their own figures rightly."""
