void f(int n, double A[n][n], double B[n][n])
{
#pragma scop
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < n; j++)
      Sum: A[i][j] += A[i - 1][j];
    for (int j = 0; j < n; j++)
      Copy: B[i][j] = A[i][j];
  }
#pragma endscop
}
