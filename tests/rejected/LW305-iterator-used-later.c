int first_free(int n, const int used[n], int found[n])
{
  int i;
#pragma scop
  for (i = 0; i < n; i++)
    found[i] = used[i];
#pragma endscop
  return i;
}
