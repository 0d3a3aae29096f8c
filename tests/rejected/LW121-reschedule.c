// command: optimize
void scale(int n, double *a)
{
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = 2 * a[i];
#pragma endscop
}
