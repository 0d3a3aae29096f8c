double *find(double *, int);

void kernel(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    *find(A, i) = 0;
#pragma endscop
}
