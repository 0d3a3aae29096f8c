// command: tune --quiet --budget 5 -o /dev/null
struct grid {
  int n;
  double *cells;
};

void scale(struct grid grid, int n, double a[n][n], double b[n][n])
{
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] = 2 * b[i][j];
#pragma endscop
  grid.cells[0] = a[0][0];
}
