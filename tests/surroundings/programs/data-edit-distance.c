/* The distance of two strings: a wavefront of int, and the same for many pairs. */
#include <string.h>
#include <stdio.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define L 40

static int d[L + 1][L + 1];

static int distance(const char *s, const char *t)
{
  int n = (int)strlen(s), m = (int)strlen(t);
  for (int i = 0; i <= n; i++)
    d[i][0] = i;
  for (int j = 0; j <= m; j++)
    d[0][j] = j;
  for (int i = 1; i <= n; i++) /* => either */
    for (int j = 1; j <= m; j++) {
      int cost = s[i - 1] != t[j - 1];
      d[i][j] = MIN(MIN(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + cost);
    }
  return d[n][m];
}

int main(void)
{
  printf("%d %d\n", distance("kitten on the shore", "sitting in the snow"),
         distance("polyhedra", "tetrahedron"));
  return 0;
}
