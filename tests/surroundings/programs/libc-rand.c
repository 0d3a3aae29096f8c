/* rand has a state: such a loop stays, and those beside it do not. */
#include <stdlib.h>
#include "show.h"

static double a[28][28], b[28][28];

int main(void)
{
  srand(12345);
  for (int i = 0; i < 28; i++) /* => left: rand */
    for (int j = 0; j < 28; j++)
      a[i][j] = rand() % 100;
  for (int i = 0; i < 28; i++) /* => rewritten */
    for (int j = 0; j < 28; j++)
      for (int k = 0; k < 28; k++)
        b[i][j] += a[i][k] * a[k][j];
  show("b", &b[0][0], 784);
  return 0;
}
