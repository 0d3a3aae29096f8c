void first_negative(int n, double A[n])
{
  for (int i = 0; i < n; i++) {
#pragma scop
    if (A[i] < 0)
      break;
#pragma endscop
  }
}
