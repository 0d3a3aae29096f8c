// options: --autodetect
void kernel(int n, double A[n])
{
  A[0] = 1;
}
