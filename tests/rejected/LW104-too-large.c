// padded: 16777217
void kernel(int n, double A[n])
{
#pragma scop
  A[0] = 1;
#pragma endscop
}
