void kernel(int n, double A[n])
{
#pragma scop
  A[0] = b + c;
#pragma endscop
}
