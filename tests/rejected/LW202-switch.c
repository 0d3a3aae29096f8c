void kernel(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    switch (i) {
    case 1:
      A[i] = 0;
    }
#pragma endscop
}
