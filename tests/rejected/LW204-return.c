void kernel(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    if (A[i] > 0)
      return;
#pragma endscop
}
