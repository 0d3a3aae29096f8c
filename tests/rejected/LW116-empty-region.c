void kernel(int n, double A[n])
{
#pragma scop
#pragma endscop
  A[0] = 1;
}
