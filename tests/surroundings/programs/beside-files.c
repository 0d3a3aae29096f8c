/* What is read and written in between: files and conversions. */
#include <stdio.h>
#include <stdlib.h>

static int read_values(const char *text, double *v, int most)
{
  int count = 0;
  char *end;
  while (count < most) {
    double x = strtod(text, &end);
    if (end == text)
      break;
    v[count++] = x;
    text = end;
  }
  return count;
}

static void correlate(int n, const double *v, double *r, int lags)
{
  for (int l = 0; l < lags; l++) { /* => rewritten */
    r[l] = 0;
    for (int i = 0; i < n - lags; i++)
      for (int j = 0; j < 3; j++)
        r[l] += v[i] * v[i + l] * (j + 1);
  }
}

int main(void)
{
  double v[64], r[8];
  char text[1024] = "";
  int at = 0;
  for (int i = 0; i < 40; i++)
    at += snprintf(text + at, sizeof text - at, "%d.%d ", i * 3 % 10, i % 7);
  int n = read_values(text, v, 64);
  correlate(n, v, r, 8);
  for (int l = 0; l < 8; l++)
    printf("%d: %.12g\n", l, r[l]);
  return 0;
}
