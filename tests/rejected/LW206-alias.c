void kernel(int n, double A[n])
{
  double *B = A + 1;
#pragma scop
  for (int i = 0; i < n - 1; i++)
    B[i] = A[i];
#pragma endscop
}
