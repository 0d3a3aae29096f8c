void kernel(int n, double A[n], double *p)
{
#pragma scop
  for (int i = 0; i < n; i++) {
    p[i] = 0;
    p = A;
  }
#pragma endscop
}
