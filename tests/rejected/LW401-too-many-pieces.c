void kernel(int n, int m, int p, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    if ((i % 7 != 3 || i % 11 != m % 11) && (i % 13 != p % 13 || i % 5 != 2)
        && (i % 17 != m % 17 || i % 19 != 4) && (i % 23 != p % 23 || i % 29 != 5)
        && (i % 31 != m % 31 || i % 37 != 4) && (i % 41 != p % 41 || i % 43 != 5))
      A[i] = 0;
    else
      A[i] = 1;
#pragma endscop
}
