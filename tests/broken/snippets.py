"""Pieces of C that a loop compiler would rather not see; ``$`` is a name of the program."""

from __future__ import annotations

STATEMENTS = """\
goto out;
goto *&&out; out: ;
out: goto out;
again: $ = $; if ($) goto again;
switch ($) { case 0: $ = 1; break; default: ; }
switch ($) case 1: for (;;) case 2: $ = 3;
asm volatile ("nop");
__asm__ ("mov %1, %0" : "=r" ($) : "r" ($));
return;
return $;
return ({ return; 1; });
break;
continue;
case 3: ;
default: ;
({ int t_ = $; t_; });
({ });
({ for (int q_ = 0; q_ < $; q_++) ; });
(int){ 1 };
$ = (struct { int a, b; }){ 1, $ }.b;
(double[]){ 1, 2, 3 }[$] = 4;
[](int x_) { return x_; }(1);
^(int x_) { return x_; }(1);
__builtin_va_list ap_; __builtin_va_start(ap_, $);
$ = _Generic($, int: 1, double: 2, default: $);
_Generic($, int: $, default: $) = 0;
typedef float v4_ __attribute__((vector_size(16))); v4_ w_ = {0}; w_ += w_; w_[$] = 1;
struct b_ { unsigned a : 3, : 0, b : 1; } s_; s_.a = $; s_.b ^= 1;
struct e_ { } z_; z_ = z_;
struct i_; struct i_ *p_; p_ = 0;
struct f_ { int n; double tail[]; } *fp_ = 0; fp_->tail[$] = 0;
struct n_ { struct { int a; union { int b; float c; }; }; } nn_; nn_.b = nn_.a; nn_.c = $;
volatile int vol_; vol_ = vol_ + $; vol_++;
static int kept_ = 3; kept_ += $;
static int kept_[3]; kept_[$] = 1;
extern int elsewhere_; elsewhere_ = $;
extern double outside_[]; outside_[$] = 1;
register int r_ = 0; r_++;
_Thread_local static int tls_; tls_ = 1;
_Atomic int at_; at_ += 1;
for (int q_ = 0; q_ < $; q_++) { double vla_[q_ + 1]; vla_[q_] = 1; }
{ int vla_[$]; vla_[0] = 1; int (*row_)[$] = &vla_; (*row_)[0] = sizeof vla_; }
int vla_[$][$]; vla_[$][$] = vla_[0][0];
int neg_[-1];
int zero_[0]; zero_[0] = 1;
int huge_[1 << 30]; huge_[$] = 1;
char enormous_[0x7fffffffffffffff]; enormous_[$] = 1;
union u_ { int i; float f; } un_; un_.f = 1; un_.i = $;
union u2_ { int i[4]; double d[2]; } ub_[8]; ub_[$].d[1] = ub_[$].i[0];
int (*fp_)(int) = 0; fp_($);
void (*table_[3])(void); table_[$]();
(*(int (*)(void))0)();
$ = 1, $ = 2;
($ = 1), $++;
do $ = 1; while (0);
do { $++; } while ($ < 10);
do ; while (1);
while (1) ;
while ($ = $ - 1) ;
for (;;) ;
for (;;) break;
for (;; $++) { if ($ > 3) break; }
int nested_(int x_) { return x_ + 1; }
auto int nested2_(void);
[[fallthrough]];
__attribute__((fallthrough));
__attribute__((annotate("x"))) int an_ = 0;
__attribute__((aligned(0))) int al_;
__attribute__((cleanup(exit))) int cl_;
_Static_assert(1, "ok");
_Static_assert(0, "not ok");
_Alignas(64) double aligned_[4]; aligned_[$] = 0;
__label__ local_; local_: ;
typedef int $;
typedef int i_t_; i_t_ x_ = $; x_++;
typedef double arr_t_[$]; arr_t_ arr_; arr_[0] = 1;
enum { E_ = 3, F_ = E_ * 2 }; $ = E_ + F_;
enum e2_ { G_ } g_ = G_; g_++;
_Bool flag_ = $; flag_++; flag_ = !flag_;
_Complex double c_ = 1; c_ *= c_; __real__ c_ = 2; __imag__ c_ = $;
__int128 wide_ = $; wide_ <<= 100; $ = wide_;
_Float16 half_ = 1; half_ += $;
long double ld_ = 1.0L; ld_ /= $;
unsigned char uc_ = $; uc_ += 300;
char *str_ = "text"; str_[0] = 'x';
"only a string";
'multi';
L"wide"[$];
u8"é";
*"abc";
&*$;
*&$ = 1;
**&*&$ = 1;
&$;
*$ = 1;
-$;
!$;
~$++;
$++ + ++$;
$ = $++ + $++;
$ = $ = $ = 0;
$ += $ -= $ *= 2;
$ = ($ = 1) + ($ = 2);
$->x = 1;
$.x = 1;
$[0][0][0][0] = 1;
0[$] = 1;
$[$[$]] = $[$];
$($);
$()();
sizeof($);
$ = sizeof(int[$++]);
$ = _Alignof(double);
$ = __builtin_offsetof(struct undefined_, x);
$ = __builtin_choose_expr(1, $, 0);
$ = __builtin_types_compatible_p(int, double);
$ = __builtin_expect($, 1);
$ = __builtin_constant_p($);
__builtin_unreachable();
__builtin_trap();
__builtin_prefetch(&$);
__builtin_memcpy(&$, &$, sizeof $);
$ = *(int *)__builtin_alloca($);
__sync_fetch_and_add(&$, 1);
$ = (int)(long)&$;
*(volatile int *)0xdeadbeef = $;
*(int *)&$ = 3;
((char *)&$)[$] = 0;
(void)$;
(void)0;
(void)($ = 1);
((void (*)(void))$)();
(*&$)++;
($)++;
$ ? $ : $;
$ ?: 2;
$ ? ($ = 1) : ($ = 2);
if ($) ; else ;
if ($ = 0) $ = 1;
if (1) { } else { $ = 1; }
if ($) for (;;) ; else while (0) ;
if ($ && ($ = 3) || $++) $--;
L1_: L2_: L3_: $ = 0;
L1_: ; L1_: ;
L1_: { L2_: { L3_: ; } }
{ { { { } } } }
;;;;;;
int $;
int x_ = x_;
int x_ = 1, *y_ = &x_, **z_ = &y_; **z_ = $;
int a_[3] = { 1, 2, 3, 4 };
int a_[] = { [2] = 1, [0 ... 1] = 5 }; a_[$] = 0;
int a_[2][2] = { 1, 2, 3 }; a_[1][$] = 4;
struct { int x; } anon_ = { .x = 1 }; anon_.x++;
const int k_ = 4; for (int q_ = 0; q_ < k_; q_++) $ = q_;
double (*rows_)[$]; rows_ = 0; rows_[0][0] = 1;
double (*rows_)[4] = (double (*)[4])&$; rows_[$][1] = 2;
__builtin_assume($ > 0);
__builtin_assume(0);
__pencil_assume($);
__pencil_kill($);
undeclared_function_($);
undeclared_variable_ = 1;
extern int pure_(int) __attribute__((const)); $ = pure_($);
extern int weird_(); weird_(1, 2, $);
printf("%d\\n", $);
exit(1);
longjmp(0, 1);
free($);
_Pragma("scop")
_Pragma("endscop")
}
{
)
(
]
[
,
\\
#
##
@
$
`
""".splitlines()

DIRECTIVES = """\
#pragma scop
#pragma endscop
#pragma  scop extra words
#pragma
#
#pragma omp parallel for
#pragma pencil independent
#pragma pencil independent (
#pragma pencil independent (nothing, 1, +)
#pragma pencil
#pragma once
#pragma GCC poison for
#pragma clang diagnostic push
#pragma pack(1)
#pragma unroll
#pragma \\\nscop
#pra\\\ngma scop
#pragma scop \\
??=pragma scop
%:pragma scop
/* */ #pragma scop
#pragma /* */ scop
#pragma scop // comment
# pragma scop
_Pragma("scop")
_Pragma("endscop")
#include "input.c"
#include "missing.h"
#include "."
#include "/"
#include "/etc"
#include "/dev/null"
#include <math.h>
#include <missing>
#include MACRO
#include
#include "unclosed
#include_next <stdio.h>
#define for while
#define int double
#define i j
#define i (i + 1)
#define i
#define n -1
#define n
#define double struct
#define A B
#define MINUS(x) -MINUS(x)
#define A(x) A(x)
#define scop endscop
#define pragma
#define if while
#define return
#define X(
#define defined
#undef i
#if 0
#if 1
#ifdef i
#ifndef
#if 1/0
#if (
#if 99999999999999999999999
#else
#elif
#elif 1
#endif
#error no
#warning hm
#line 1000000
#line 0
#line 3 "other.c"
#line 99999999999
# 7 "third.c" 1 3
#ident "x"
#assert x
#unknown
""".replace("\\n", "\n").splitlines()

EXPRESSIONS = """\
2147483647
2147483648
-2147483648
4294967295u
4294967296
9223372036854775807
9223372036854775808
18446744073709551615ull
0x7fffffffffffffff
1000000000000000000000000000000
1e30
1e400
0x1p-1074
08
0b101
1'000
'a'
'\\xff'
L'é'
"string"
""
(1 / 0)
(1 % 0)
($ / 0)
($ % 0)
($ / $)
($ % $)
($ / -1)
($ % -3)
($ / -2147483648)
($ * 2147483647)
($ * $)
($ * $ * $)
(1 << 31)
(1 << 64)
(1 << 1000)
(1 << -1)
($ << 2)
($ << $)
($ >> 40)
(-1 >> 1)
($ & 7)
($ | 1)
($ ^ $)
(~$)
(-$)
(!$)
(!!$)
(+$)
(- - - -$)
($ && $)
($ || $)
($ == $)
($ < $ < $)
($ ? $ : $)
($ ?: $)
($ ? 0 : $ ? 1 : 2)
($, $)
($ = $)
($ += 1)
($++)
(--$)
(*$)
(&$)
(*&$)
(&$[0])
$[0]
$[$]
$[-1]
$[$][$]
0[$]
$[$[$[$]]]
$.x
$->x
$()
$($, $)
(int)$
(char)$
(unsigned char)$
(unsigned)$
(short)$
(_Bool)$
(long long)$
(unsigned long)$
(double)$
(float)$
(void)$
(int *)$
(void *)0
(struct undefined_)$
(__int128)$
sizeof $
sizeof(int)
sizeof(double[$])
_Alignof(int)
({ $; })
({ int t_ = $; t_ + 1; })
({ 1; })
({ })
({ return; })
(int){ $ }
(int[]){ 1, 2, 3 }[$]
(struct { int a; }){ $ }.a
_Generic($, int: 1, default: 2)
_Generic(0, float: $)
__builtin_choose_expr(0, $, 1)
__builtin_va_arg($, int)
__builtin_expect($, 0)
__builtin_abs($)
__builtin_offsetof(struct { int a, b; }, b)
__func__
__LINE__
__COUNTER__
__FILE__
__VA_ARGS__
&&label_
[]{ return 1; }()
^{ return 1; }()
nullptr
NULL
true
undeclared_
undeclared_($)
abs($)
fabs($)
sqrt($)
min($, $)
max($, 3)
floord($, 2)
ceild($, 0)
1.5
1.5f
1.0L
3i
$ + 1.5
$ % 2.0
.5.5
0x
1u
1ll
$$
a b
+
*
""".splitlines()

HEADERS = """\
for ($ = $; $ < 10; $++)
for ($ = 0; $ < 10; $ += 0)
for ($ = 0; $ < 10; $ += $)
for ($ = 0; $ < 10; $ *= 2)
for ($ = 0; $ < 10; $ = $)
for ($ = 0; $ < 10; $ = 2 * $)
for ($ = 0; $ < 10; $ = 1 - $)
for ($ = 0; $ < 10; $--)
for ($ = 0; $ > -10; $ -= -1)
for ($ = 0; $ != 7; $ += 2)
for ($ = 0; $ != 8; $ += 2)
for ($ = 0; $; $++)
for ($ = 0; 1; $++)
for ($ = 0; 0; $++)
for ($ = 0; ; $++)
for ($ = 0; $ < 10; )
for (; $ < 10; $++)
for (;;)
for (;; $++)
for ($; $; $)
for (0; 0; 0)
for ($ = 0; $ == 0; $++)
for ($ = 0; $ * $ < 10; $++)
for ($ = 0; $ % 3 < 2; $++)
for ($ = 0; $ / 3 < 2; $++)
for ($ = 0; !($ >= 10); $++)
for ($ = 0; $ < 10 || $ > 20; $++)
for ($ = 0; $ < 10 && $ < $; $++)
for ($ = 0; $ < 10, $ < 5; $++)
for ($ = 0, $ = 1; $ < 10; $++, $++)
for ($ = 0; ($ = 1); $++)
for ($ = 0; $++ < 10; )
for ($ = 10; $--; )
for ($ = 0; $ < 2147483647; $++)
for ($ = 0; $ <= 2147483647; $++)
for ($ = 0; $ < 2147483648; $++)
for ($ = 0; $ < 9223372036854775807; $++)
for ($ = 0; $ < 18446744073709551615u; $++)
for ($ = 0; $ < 1000000000000000000000000000000; $++)
for ($ = -9223372036854775807 - 1; $ < 0; $++)
for ($ = 0; $ < 10; $ += 2147483647)
for ($ = 0; $ < 10; $ += 9223372036854775807)
for ($ = 0; $ < (1 << 70); $++)
for ($ = 0; $ < 1 / 0; $++)
for ($ = 0; $ < 1 % 0; $++)
for ($ = 0; $ < 1e9; $++)
for ($ = 0.5; $ < 10; $++)
for ($[0] = 0; $[0] < 10; $[0]++)
for (*$ = 0; *$ < 10; ++*$)
for ($.x = 0; $.x < 10; $.x++)
for (int q_ = 0; q_ < q_; q_++)
for (int q_ = q_; q_ < 10; q_++)
for (int q_ = 0; q_ < 10; q_ += q_)
for (int q_; q_ < 10; q_++)
for (int q_ = 0, r_ = 1; q_ < r_; q_++)
for (int q_ = 0, r_ = 10; q_ < r_; q_++, r_--)
for (unsigned q_ = 10; q_ >= 0; q_--)
for (unsigned char q_ = 0; q_ < 256; q_++)
for (unsigned char q_ = 0; q_ < $; q_ += 7)
for (unsigned q_ = $; q_ < 4294967295u; q_ += 3)
for (signed char q_ = 0; q_ < 200; q_++)
for (_Bool q_ = 0; q_ < 2; q_++)
for (char q_ = 'a'; q_ <= 'z'; q_++)
for (short q_ = 0; q_ < 70000; q_++)
for (unsigned long q_ = 0; q_ < $; q_++)
for (unsigned long q_ = 5; q_ - 1 < 10; q_--)
for (__int128 q_ = 0; q_ < $; q_++)
for (double q_ = 0; q_ < 10; q_++)
for (float q_ = 0; q_ < 10; q_ += 0.1f)
for (int *q_ = &$; q_ < &$ + 4; q_++)
for (double *q_ = 0; q_; q_ = 0)
for (const int q_ = 0; q_ < 10; q_++)
for (volatile int q_ = 0; q_ < 10; q_++)
for (static int q_ = 0; q_ < 10; q_++)
for (register int q_ = 0; q_ < 10; q_++)
for (int q_[1] = { 0 }; q_[0] < 10; q_[0]++)
for (struct { int a; } q_ = { 0 }; q_.a < 10; q_.a++)
for (enum { Z_ } q_ = Z_; q_ < 10; q_++)
for (typedef int t_; ; )
for (struct t_ { int a; }; ; )
for (int f_(void); ; )
for (int q_ : $)
for (int q_ = 0; q_ < 10; ({ q_++; }))
for (int q_ = ({ 0; }); q_ < 10; q_++)
for (int q_ = 0; ({ q_ < 10; }); q_++)
for (int q_ = 0; q_ < 10; q_++) if ($)
for (int q_ = 0; q_ < 10; q_++) for (int q_ = 0; q_ < 10; q_++)
for (int q_ = $ ? 0 : 1; q_ < ($ ? $ : 3); q_++)
for (int q_ = $ / 3; q_ < $ % 4; q_ += 5)
for (int q_ = min($, 3); q_ < max($, $); q_++)
while ($)
while ($ < 10)
while ($-- > 0)
while (0)
while (1)
do $ = 1; while (0); if (1)
if ($)
if ($ < 10) ; else
switch ($)
switch ($) case 0:
""".splitlines()

WRONG_TYPES = """\
struct s
struct s_ { int a; }
union u_ { int a; double b; }
enum e_ { E0_, E1_ }
enum undefined_
void
float *
double **
char
signed char
unsigned char
short
unsigned short
unsigned
long
unsigned long
long long
__int128
unsigned __int128
_Bool
float
double
long double
_Complex double
_Float16
_Atomic int
_Atomic(double)
volatile int
const int
const double
static int
extern int
register int
typedef int
auto
inline int
undefined_t
size_t
int (*)(void)
int *restrict
double (*)[4]
int __attribute__((vector_size(16)))
float __attribute__((vector_size(32)))
__attribute__((mode(DI))) int
_Alignas(32) int
_BitInt(13)
__typeof__(1)
__typeof__(i)
__auto_type
int int
unsigned double
struct { int a : 3; }
""".splitlines()

OPERATORS = (
    "+ - * / % << >> < > <= >= == != & | ^ && || = += -= *= /= %= <<= >>= &= |= ^= , ? : . -> "
    "++ -- ! ~ ( ) [ ] { } ; ... # ## <=> :: .* ->*"
).split()

KINDRED_OPERATORS = (
    "+ - * / %".split(),
    "< <= > >= == !=".split(),
    "= += -= *= /=".split(),
    "++ --".split(),
    "&& ||".split(),
)
