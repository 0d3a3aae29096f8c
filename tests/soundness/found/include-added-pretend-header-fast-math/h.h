#pragma GCC system_header
#line 1 "/usr/include/foo.h"
#pragma GCC optimize ("fast-math")
