#include <stdio.h>
typedef long T; T a[200][200], b[200][200]; T t;
void k(void) {
typedef short T; for (int i=0;i<200;i++) for (int j=0;j<200;j++) a[i][j]=100000+i;
#pragma scop
#define lw_min(x, y) ((x) < (y) ? (x) : (y))
for (int c0 = 0; c0 <= 198; c0 += 6)
  for (int c1 = 0; c1 <= 128; c1 += 128) {
    T t_copies[6][128];
    for (int c2 = c0; c2 <= lw_min(199, c0 + 5); c2++)
      for (int c3 = c1; c3 <= lw_min(199, c1 + 127); c3++)
        t_copies[c2 - c0][c3 - c1] = a[c3][c2] * 3;
    for (int c2 = c0; c2 <= lw_min(199, c0 + 5); c2++)
      for (int c3 = c1; c3 <= lw_min(199, c1 + 127); c3++)
        b[c3][c2] = t_copies[c2 - c0][c3 - c1] + 1;
    if (c0 == 198 && c1 == 128)
      t = t_copies[1][71];
  }
#undef lw_min
#pragma endscop

}
int main(void){ k(); printf("%ld %ld\n",b[5][6],t); return 0; }
