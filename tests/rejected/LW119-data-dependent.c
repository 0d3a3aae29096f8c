// options: --autodetect
void kernel(int n, double A[n])
{
  int i;
  for (i = 0; i < n; i++)
    A[i] = 0;
  int k;
  for (k = 0; k < n; k++)
    if (A[k] > 0)
      break;
  A[0] = k;
}
