void kernel(int n, double A[n])
{
#pragma scop
  __builtin_assume(n > 4 && n < 3);
  for (int i = 0; i < n; i++)
    A[i] = 0;
#pragma endscop
}
