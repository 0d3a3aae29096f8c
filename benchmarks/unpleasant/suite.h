/* What a suite of kernels puts between a kernel and its compiler: the element type, bounds, array
 * declarators, literals and functions of the mathematics are all macros.
 *
 * The program says DATA_TYPE_IS_DOUBLE, DATA_TYPE_IS_FLOAT or DATA_TYPE_IS_INT first. */
#ifndef SUITE_H
#define SUITE_H

#if defined(DATA_TYPE_IS_INT)
#define DATA_TYPE int
#define DATA_PRINTF_MODIFIER "%d "
#elif defined(DATA_TYPE_IS_FLOAT)
#define DATA_TYPE float
#define DATA_PRINTF_MODIFIER "%0.2f "
#define SCALAR_VAL(x) x##f
#define SQRT_FUN(x) sqrtf(x)
#define EXP_FUN(x) expf(x)
#define POW_FUN(x, y) powf(x, y)
#elif defined(DATA_TYPE_IS_DOUBLE)
#define DATA_TYPE double
#define DATA_PRINTF_MODIFIER "%0.2lf "
#define SCALAR_VAL(x) x
#define SQRT_FUN(x) sqrt(x)
#define EXP_FUN(x) exp(x)
#define POW_FUN(x, y) pow(x, y)
#else
#error "say DATA_TYPE_IS_DOUBLE, DATA_TYPE_IS_FLOAT or DATA_TYPE_IS_INT"
#endif

/* Constant bounds or those of the parameters; room behind each row or not; pointers alone or not. */
#ifdef SUITE_CONSTANT_BOUNDS
#define BOUND_OF(constant, variable) constant
#else
#define BOUND_OF(constant, variable) variable
#endif
#ifndef SUITE_PADDING
#define SUITE_PADDING 0
#endif
#ifdef SUITE_RESTRICT
#define SUITE_ALONE restrict
#else
#define SUITE_ALONE
#endif

#define GRID_1D(var, dim1, ddim1) var[SUITE_ALONE BOUND_OF(dim1, ddim1) + SUITE_PADDING]
#define GRID_2D(var, dim1, dim2, ddim1, ddim2)                                                     \
  var[SUITE_ALONE BOUND_OF(dim1, ddim1) + SUITE_PADDING][BOUND_OF(dim2, ddim2) + SUITE_PADDING]
#define GRID_3D(var, dim1, dim2, dim3, ddim1, ddim2, ddim3)                                        \
  var[SUITE_ALONE BOUND_OF(dim1, ddim1) + SUITE_PADDING][BOUND_OF(dim2, ddim2) + SUITE_PADDING]   \
     [BOUND_OF(dim3, ddim3) + SUITE_PADDING]

/* The names that the program chose are not those that the compiler sees. */
#undef i
#undef j
#undef k
#undef n
#undef m
#define i row_
#define j column_
#define k depth_
#define n JOINED(n, _)
#define m m_

#define _PB_N BOUND_OF(N, n)
#define _PB_M BOUND_OF(M, m)
#define _PB_W BOUND_OF(W, w)
#define _PB_H BOUND_OF(H, h)
#define _PB_NI BOUND_OF(NI, ni)
#define _PB_NJ BOUND_OF(NJ, nj)
#define _PB_NK BOUND_OF(NK, nk)
#define _PB_NL BOUND_OF(NL, nl)
#define _PB_NM BOUND_OF(NM, nm)
#define _PB_NP BOUND_OF(NP, np)
#define _PB_NQ BOUND_OF(NQ, nq)
#define _PB_NR BOUND_OF(NR, nr)
#define _PB_NX BOUND_OF(NX, nx)
#define _PB_NY BOUND_OF(NY, ny)
#define _PB_TMAX BOUND_OF(TMAX, tmax)
#define _PB_TSTEPS BOUND_OF(TSTEPS, tsteps)

#endif
