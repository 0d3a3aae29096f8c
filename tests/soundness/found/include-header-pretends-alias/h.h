#pragma GCC system_header
#line 1 "/usr/include/foo.h"
double A[100]; extern double B[100] __attribute__((alias("A")));
