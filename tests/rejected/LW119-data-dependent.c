// options: --autodetect
void kernel(int n, double A[n])
{
  int i;
  for (i = 0; i < n; i++)
    A[i] = 0;
  for (i = 0; i < n; i++)
    if (A[i] > 0)
      break;
  A[0] = i;
}
