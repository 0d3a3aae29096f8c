// command: optimize
void smooth(int n, int m, double b[n][m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = b[i][j - 1] + 1;
#pragma endscop
}
