// command: tune --quiet --budget 5 --store LW606-not-a-store.txt -o /dev/null
void scale(int n, double a[n][n], double b[n][n])
{
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] = 2 * b[i][j];
#pragma endscop
}
