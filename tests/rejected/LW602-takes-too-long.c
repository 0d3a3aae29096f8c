// command: optimize --timeout 8
void far(long n, long m, double *A, double *B)
{
#pragma scop
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      A[1000000000*i + 999999999*j] = A[999999993*i + 999999987*j + 999999997] + B[1000000001*j - 999999991*i];
#pragma endscop
}
