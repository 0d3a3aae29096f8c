void kernel(int n, double A[n])
{
#pragma scop
  for (unsigned i = 0; i < n; i++)
    A[i] = 0;
#pragma endscop
}
