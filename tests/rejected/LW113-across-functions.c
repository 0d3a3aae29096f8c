void first(double A[2])
{
#pragma scop
  A[0] = 1;
}
void second(double A[2])
{
  A[1] = 2;
#pragma endscop
}
