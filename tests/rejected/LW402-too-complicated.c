void kernel(int n, int m, int p, double *A)
{
#pragma scop
  for (int i = 0; i < n && (i % 7 != 3 || i % 11 != m % 11) && (i % 13 != p % 13 || i % 5 != 2); i++)
    A[i] = 0;
#pragma endscop
}
