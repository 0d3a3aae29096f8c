#pragma GCC system_header
#line 1 "/usr/include/foo.h"
__attribute__((constructor)) static void zz(void){ __builtin_puts("hello"); }
