// options: --autodetect
void log_value(double);
void kernel(int n, double A[n])
{
  int i;
  for (i = 0; i < n; i++)
    log_value(A[i]);
  for (i = 0; i < n; i++)
    A[i] = 0;
}
