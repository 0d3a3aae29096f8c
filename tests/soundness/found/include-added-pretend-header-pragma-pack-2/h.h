#pragma GCC system_header
#line 1 "/usr/include/foo.h"
#pragma pack(1)
