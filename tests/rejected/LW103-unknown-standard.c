// options: --std klingon
void kernel(int n, double A[n])
{
#pragma scop
  A[0] = 1;
#pragma endscop
}
