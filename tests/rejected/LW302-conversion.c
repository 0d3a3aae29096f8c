void kernel(double A[256])
{
#pragma scop
  for (int i = 0; i < 600; i++)
    A[(unsigned char) i] = 0;
#pragma endscop
}
