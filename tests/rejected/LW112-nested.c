void kernel(int n, double A[n])
{
#pragma scop
  A[0] = 1;
#pragma scop
  A[1] = 2;
#pragma endscop
#pragma endscop
}
