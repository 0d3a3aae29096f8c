void kernel(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    __asm__ volatile("nop");
#pragma endscop
}
