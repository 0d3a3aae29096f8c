void kernel(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = ({ double t = A[i]; A[i] = 0; t * t; });
#pragma endscop
}
