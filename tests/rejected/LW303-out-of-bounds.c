void kernel(double A[10])
{
#pragma scop
  for (int i = 0; i < 10; i++)
    A[i + 10] = 0;
#pragma endscop
}
