// options: --std gnu++17
void scale(int n, double *a, double &factor)
{
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = factor * a[i];
#pragma endscop
}
