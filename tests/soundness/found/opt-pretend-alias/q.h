#pragma GCC system_header
#line 1 "/usr/include/foo.h"
double A[300][300]; extern double B[300][300] __attribute__((alias("A")));
