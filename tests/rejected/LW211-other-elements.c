void kernel(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    ((float *) A)[i] = 0;
#pragma endscop
}
