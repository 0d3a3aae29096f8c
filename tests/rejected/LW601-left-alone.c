// command: optimize --no-reschedule
double sum(int n, const double *a)
{
#pragma scop
  double total = 0;
  for (int i = 0; i < n; i++)
    total += a[i];
#pragma endscop
  return total;
}
