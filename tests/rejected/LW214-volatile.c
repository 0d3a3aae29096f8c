extern volatile double port;

void kernel(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = port;
#pragma endscop
}
