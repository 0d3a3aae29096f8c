/* A header that gets in the way: macros for all sorts of names, joined words, other people's types,
 * timers and functions.  Nothing in it changes a program that includes it behind all other headers;
 * there is only much that a careless reader, or a careless writer of new text, would stumble over. */
#ifndef UNPLEASANT_H
#define UNPLEASANT_H

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- words are joined, and spelled out -------------------------------------------------------- */

#define JOINED(a, b) a##b
#define JOINED_LATER(a, b) JOINED(a, b)
#define SPELLED(x) #x
#define SPELLED_LATER(x) SPELLED(x)
#define HELPER(kind) lw_##kind
#define ITERATOR(number) c##number
#define TILE_OF(array) array##_tile
#define COPIES_OF(array) array##_copies
#define NAMED_BY_LINE(stem) JOINED_LATER(stem, __LINE__)
#define FORWARDED(function, ...) function(__VA_ARGS__)
#define DECLARED_ONCE(type, name) static type JOINED(name, _of_unpleasant) __attribute__((unused))

/* --- what everybody calls a macro ------------------------------------------------------------- */

#undef min
#undef max
#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define abs(x) ((x) < 0 ? -(x) : (x))
#define swap(type, x, y)                                                                           \
  do {                                                                                             \
    type swapped_ = (x);                                                                           \
    (x) = (y);                                                                                     \
    (y) = swapped_;                                                                                \
  } while (0)
#define sqrt(x) sqrt(x)
#define expf(x) expf(x)
#define fmin(x, y) fmin(x, y)
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) floord((n) + (d) - 1, d)

/* --- names of the new text -------------------------------------------------------------------- */

#define lw_min(x, y) lw_min_is_ours(x, y)
#define lw_max 17
#define lw_floord(a) #a
#define lw_tile lw_tile
#define c0 JOINED(c, 0)
#define c1(x) x##_c1
#define c3 (-1)
#define t1 this is no expression ) (
#define tmp(x) x##x
#define A_tile(x) A_0(x)
#define A_0 "a string"
#define B_tile lw_tile
#define C_0(x, y) x##y
#define D_0 0
#define x_0 0x0

/* --- words of OpenMP, for a compiler without it ----------------------------------------------- */

#define private
#define firstprivate(list)
#define shared
#define simd
#define reduction(list)
#define collapse(count)
#define schedule(kind)
#define aligned

/* --- names of the program, which stay what they are ------------------------------------------- */

#define i i
#define j j
#define k k
#define n n
#define m m
#define t t
#define ni ni
#define nj nj
#define A A
#define B B
#define alpha alpha
#define beta beta
#define init init
#define Init Init
#define Loop Loop

/* --- what the compiler is, and what it has ---------------------------------------------------- */

#if defined(__GNUC__) && !defined(__clang__)
#define UNUSED_HERE __attribute__((unused))
#define INLINED static __inline__ __attribute__((always_inline))
#elif defined(__clang__)
#define UNUSED_HERE __attribute__((__unused__))
#define INLINED static inline
#else
#define UNUSED_HERE
#define INLINED static
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if !defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L
#define LIKELY(x) (x)
#elif __GNUC__ >= 3
#define LIKELY(x) __builtin_expect(!!(x), 1)
#endif

#if 0
An apostrophe that isn't closed.
And a "quote that is not closed, either.
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
_Pragma("GCC diagnostic ignored \"-Wunused-macros\"")

/* --- types ------------------------------------------------------------------------------------ */

#define REAL_TYPE double
#define INDEX_TYPE unsigned long
#define POINTER_TO(type) type *
#define RECORD(name, ...) typedef struct name __VA_ARGS__ name##_t

RECORD(unpleasant_clock, {
  double first, last;
  unsigned is_running : 1, laps : 15;
  union {
    long whole;
    char bytes[sizeof(long)];
  } seen;
});
enum unpleasant_kind { JOINED(SLOW, _KIND), JOINED(FAST, _KIND) = 7 };
typedef REAL_TYPE (*unpleasant_function)(POINTER_TO(const REAL_TYPE), INDEX_TYPE);
typedef double unpleasant_vector __attribute__((__aligned__(32)));

/* --- functions that nobody calls -------------------------------------------------------------- */

DECLARED_ONCE(unpleasant_clock_t, clock);
extern void unpleasant_flush(POINTER_TO(void) cache, size_t bytes) __attribute__((nonnull(1)));

INLINED double unpleasant_seconds(void)
{
  return omp_get_wtime();
}

INLINED uint64_t unpleasant_ticks(void)
{
#if defined(__x86_64__)
  uint32_t low, high;
  __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
  return ((uint64_t)high << 32) | low;
#else
  return (uint64_t)(1e9 * unpleasant_seconds());
#endif
}

INLINED void unpleasant_start(POINTER_TO(unpleasant_clock_t) clock)
{
  clock->first = unpleasant_seconds();
  clock->is_running = 1;
}

INLINED int unpleasant_stop(POINTER_TO(unpleasant_clock_t) clock)
{
  clock->last = unpleasant_seconds();
  clock->is_running = 0;
  return fprintf(stderr, "%s: %0.6f\n", SPELLED_LATER(JOINED(clock, 0)), clock->last - clock->first);
}

INLINED POINTER_TO(void) unpleasant_allocated(INDEX_TYPE count, int size)
{
  POINTER_TO(void) found = NULL;
  if (!LIKELY(posix_memalign(&found, 64, count * (INDEX_TYPE)size) == 0))
    exit(EXIT_FAILURE);
  return memset(found, 0, count * (INDEX_TYPE)size);
}

INLINED UNUSED_HERE int unpleasant_sorted(POINTER_TO(int) items, int count)
{
  for (int at = 1; at < count; at++)
    for (int other = at; other > 0 && items[other] < items[other - 1]; other--)
      swap(int, items[other], items[other - 1]);
  return count > 0 ? min(items[0], max(items[count - 1], abs(count))) : INT_MIN;
}

#pragma GCC diagnostic pop

#ifdef __cplusplus
}
#endif
#endif
