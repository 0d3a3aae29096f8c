void kernel(double A[256])
{
#pragma scop
  for (unsigned char i = 250; i != 4; i++)
    A[i] = 0;
#pragma endscop
}
