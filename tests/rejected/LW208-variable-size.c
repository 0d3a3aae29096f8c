void f(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = sizeof(double[i + 1]);
#pragma endscop
}
