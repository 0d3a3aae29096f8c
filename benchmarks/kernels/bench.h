/* What the benchmark kernels share: data set sizes, arguments, allocation, input values, timing
 * and printing.
 *
 * Arguments of each program:
 *   --dump          print the live-out arrays to stdout after the last run
 *   --dump-inputs   print what the kernel reads to stdout before the first run, names with "in."
 *   --repeat K      initialise and run K times (default 1); each run prints its time to stderr */
#ifndef BENCH_H
#define BENCH_H

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* `#pragma scop` marks the region for polyhedral tools; it means nothing to the compiler. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

/* The one of four sizes that -DMINI, -DSMALL, -DMEDIUM or -DLARGE selects. */
#if defined(MINI)
#define BENCH_SIZE(mini, small, medium, large) (mini)
#elif defined(MEDIUM)
#define BENCH_SIZE(mini, small, medium, large) (medium)
#elif defined(LARGE)
#define BENCH_SIZE(mini, small, medium, large) (large)
#else
#define BENCH_SIZE(mini, small, medium, large) (small)
#endif

struct bench {
  int dump;   /* --dump given */
  int inputs; /* --dump-inputs given */
  int repeat; /* runs wanted */
  int runs;   /* runs begun */
  struct timespec start;
};

static inline void bench_fail(const char *message, const char *what)
{
  fprintf(stderr, "%s%s\n", message, what);
  exit(2);
}

static inline struct bench bench_begin(int argc, char **argv)
{
  struct bench b = {.repeat = 1};
  for (int k = 1; k < argc; k++) {
    if (!strcmp(argv[k], "--dump"))
      b.dump = 1;
    else if (!strcmp(argv[k], "--dump-inputs"))
      b.inputs = 1;
    else if (!strcmp(argv[k], "--repeat") && k + 1 < argc && atoi(argv[k + 1]) > 0)
      b.repeat = atoi(argv[++k]);
    else
      bench_fail("usage: [--dump] [--dump-inputs] [--repeat K]; cannot use ", argv[k]);
  }
  return b;
}

/* Whether another run is to be done. */
static inline int bench_again(struct bench *b)
{
  return b->runs++ < b->repeat;
}

/* Whether the inputs are to be printed now. */
static inline int bench_inputs(const struct bench *b)
{
  return b->inputs && b->runs == 1;
}

static inline void bench_start(struct bench *b)
{
  clock_gettime(CLOCK_MONOTONIC, &b->start);
  __asm__ volatile("" ::: "memory");
}

static inline void bench_stop(const struct bench *b)
{
  struct timespec end;
  __asm__ volatile("" ::: "memory");
  clock_gettime(CLOCK_MONOTONIC, &end);
  fprintf(stderr, "seconds %.6f\n",
          (double)(end.tv_sec - b->start.tv_sec) + 1e-9 * (double)(end.tv_nsec - b->start.tv_nsec));
}

static inline void *bench_alloc(size_t bytes)
{
  void *p = malloc(bytes);
  if (!p)
    bench_fail("out of memory", "");
  return p;
}

/* A well mixed 32-bit number, another one for each array (tag) and element. */
static inline uint32_t bench_hash(int tag, int i, int j)
{
  uint32_t h = (uint32_t)tag * 0x9e3779b1u + (uint32_t)i * 0x85ebca77u + (uint32_t)j * 0xc2b2ae3du;
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  return h ^ (h >> 15);
}

/* The same as a number in [0, 1) that uses all 53 bits of a double, so that sums and products
 * round and a change of their order shows. */
static inline double bench_unit(int tag, int i, int j)
{
  uint32_t high = bench_hash(tag, i, j), low = bench_hash(tag + 256, i, j);
  return ((high >> 5) * 67108864.0 + (low >> 6)) / 9007199254740992.0;
}

/* Prints an array: a line "NAME DIM...", then one line per innermost row. The type is 'd' for
 * double, 'f' for float, 'i' for int; the rank is followed by that many dimensions. */
static inline void bench_dump(const char *name, char type, const void *data, int rank, ...)
{
  va_list dims;
  size_t total = 1, row = 1;
  printf("%s", name);
  va_start(dims, rank);
  for (int k = 0; k < rank; k++) {
    row = (size_t)va_arg(dims, int);
    total *= row;
    printf(" %zu", row);
  }
  va_end(dims);
  printf("\n");
  for (size_t k = 0; k < total; k++) {
    if (type == 'i')
      printf("%d", ((const int *)data)[k]);
    else
      printf("%a", type == 'f' ? ((const float *)data)[k] : ((const double *)data)[k]);
    printf((k + 1) % row == 0 ? "\n" : " ");
  }
}

#endif
