#pragma GCC system_header
#line 1 "/usr/include/foo.h"
#pragma redefine_extname puts my_puts
