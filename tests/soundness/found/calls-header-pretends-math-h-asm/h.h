#pragma GCC system_header
#line 1 "/usr/include/math.h"
double next(double x) __asm__("nextx");
