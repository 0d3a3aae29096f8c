// options: --function other
void other(void)
{
}
void kernel(int n, double A[n])
{
#pragma scop
  A[0] = 1;
#pragma endscop
}
