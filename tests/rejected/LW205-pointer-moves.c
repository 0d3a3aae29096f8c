void kernel(int n, double A[n])
{
#pragma scop
  double *p = A;
  for (int i = 0; i < n; i++)
    *p++ = 0;
#pragma endscop
}
