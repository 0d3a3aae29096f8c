// options: --context "[m] -> { : m >= 4 }"
void scale(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = 2 * A[i];
#pragma endscop
}
