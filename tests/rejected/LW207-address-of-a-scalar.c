void update(double *);

void kernel(int n, double A[n], double s)
{
#pragma scop
  for (int i = 0; i < n; i++) {
    s = A[i];
    update(&s);
  }
#pragma endscop
}
