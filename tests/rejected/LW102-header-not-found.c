#include "no-such-header.h"

void kernel(int n, double A[n])
{
#pragma scop
  A[0] = 1;
#pragma endscop
}
