#define LOOP for (int i = 0; i < n;)

void kernel(int n, double A[n])
{
#pragma scop
  LOOP A[i] = 0;
#pragma endscop
}
