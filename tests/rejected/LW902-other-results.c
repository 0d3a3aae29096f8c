// command: optimize --quiet --run
extern char etext;
void scale(int n, double a[n][n], double b[n][n])
{
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] = 2 * b[i][j];
#pragma endscop
  a[0][0] = (long)&etext % 4096;  // where the machine code ends
}
