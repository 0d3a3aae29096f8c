# A schedule map alone, which brings its domain with it: Figure 6 of the paper on AST generation.
[n, m] -> {
    S1[i] -> [i, i] : 1 <= i <= n;
    S2[i, j] -> [i, j] : 1 <= i <= n and i <= j <= n;
    S3[i] -> [i, n] : 1 <= i <= m
}
[n, m] -> { : n >= 2 and m >= n }
