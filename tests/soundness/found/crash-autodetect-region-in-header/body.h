for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        a[i][j] = b[j][i] + 1;
