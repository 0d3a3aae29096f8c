void kernel(int n, double A[n])
{
#pragma scop
#pragma pencil independent
  A[0] = 1;
  for (int i = 1; i < n; i++)
    A[i] = A[i - 1];
#pragma endscop
}
