/* What a suite of kernels brings: the element type, bounds, array declarations, functions of the
 * mathematics, heap arrays, timers and dumps, all as macros.
 *
 * The program says DATA_TYPE_IS_DOUBLE, DATA_TYPE_IS_FLOAT or DATA_TYPE_IS_INT first. */
#ifndef SUITE_H
#define SUITE_H

#if defined(DATA_TYPE_IS_INT)
#define DATA_TYPE int
#define DATA_LETTER 'i'
#define SCALAR_VAL(x) x
#elif defined(DATA_TYPE_IS_FLOAT)
#define DATA_TYPE float
#define DATA_LETTER 'f'
#define SCALAR_VAL(x) x##f
#define MATH_FUN(name, x) name##f(x)
#elif defined(DATA_TYPE_IS_DOUBLE)
#define DATA_TYPE double
#define DATA_LETTER 'd'
#define SCALAR_VAL(x) x
#define MATH_FUN(name, x) name(x)
#else
#error "say DATA_TYPE_IS_DOUBLE, DATA_TYPE_IS_FLOAT or DATA_TYPE_IS_INT"
#endif

#define SQRT_FUN(x) MATH_FUN(sqrt, x)
#define EXP_FUN(x) MATH_FUN(exp, x)

/* The bounds are constants, or parameters. */
#ifdef SUITE_CONSTANT_BOUNDS
#define SUITE_BOUND(constant, variable) constant
#else
#define SUITE_BOUND(constant, variable) variable
#endif

/* Arrays as parameters: their names are made here. */
#define VALUES(x) x##_values
#define GRID_1D(x, d1, n1) VALUES(x)[SUITE_BOUND(d1, n1)]
#define GRID_2D(x, d1, d2, n1, n2) VALUES(x)[SUITE_BOUND(d1, n1)][SUITE_BOUND(d2, n2)]
#define GRID_3D(x, d1, d2, d3, n1, n2, n3)                                                         \
  VALUES(x)[SUITE_BOUND(d1, n1)][SUITE_BOUND(d2, n2)][SUITE_BOUND(d3, n3)]

/* Arrays on the heap. */
#define HEAP_1D(x, d1, n1) DATA_TYPE *x = bench_alloc(sizeof(DATA_TYPE[SUITE_BOUND(d1, n1)]))
#define HEAP_2D(x, d1, d2, n1, n2)                                                                 \
  DATA_TYPE(*x)[SUITE_BOUND(d2, n2)] =                                                             \
      bench_alloc(sizeof(DATA_TYPE[SUITE_BOUND(d1, n1)][SUITE_BOUND(d2, n2)]))
#define HEAP_3D(x, d1, d2, d3, n1, n2, n3)                                                         \
  DATA_TYPE(*x)[SUITE_BOUND(d2, n2)][SUITE_BOUND(d3, n3)] = bench_alloc(                           \
      sizeof(DATA_TYPE[SUITE_BOUND(d1, n1)][SUITE_BOUND(d2, n2)][SUITE_BOUND(d3, n3)]))

/* Timers and dumps. */
#define SUITE_START_TIMER bench_start(&bench)
#define SUITE_STOP_TIMER bench_stop(&bench)
#define SUITE_DUMP(x, ...) bench_dump(#x, DATA_LETTER, x, __VA_ARGS__)

#endif
