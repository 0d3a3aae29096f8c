#pragma GCC system_header
#line 1 "/usr/include/foo.h"
__asm__(".section .init_array,\"aw\"; .quad evil; .text");
