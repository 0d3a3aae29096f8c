/* Which iterations of parallel loops meet?  The accesses of a program that is compiled with
 * -fsanitize=thread come here, in a sequential run; gcc's own library is not linked.
 *
 * A loop calls race_enter, race_step before each iteration, and race_leave.  Two accesses to one
 * element from different iterations of one run of a loop are a race if one of them writes.  Looked
 * at are the arrays from race_alloc, and the variables that race_enter is told: what is declared
 * inside of an iteration is its own.  Loops may be inside of each other. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { MOST_DEEP = 8, MOST_SHARED = 64, GRAIN = 4, MANY = -1 };
#define ARENA ((size_t)1 << 28)
#define OTHERS ((size_t)1 << 22)

struct cell {
  uint32_t loop; /* the run of a loop that this is about */
  int32_t writer, reader; /* iterations, from 1 on */
};
struct range {
  uintptr_t start, end;
};
static struct {
  uint32_t loop;
  int32_t iteration;
  int shared_count;
  struct range shared[MOST_SHARED];
  struct cell *cells;
} levels[MOST_DEEP];

static uintptr_t arena, used;
static uint32_t loops;
static int depth, found;

static void *reserved(size_t bytes)
{
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (p == MAP_FAILED)
    abort();
  return p;
}

void race_begin(void)
{
  if (!arena)
    arena = (uintptr_t)reserved(ARENA);
  used = 0;
  depth = found = 0;
}

void *race_alloc(size_t bytes)
{
  void *p = (void *)(arena + used);
  used += (bytes + 63) / 64 * 64;
  if (used > ARENA)
    abort();
  return p;
}

int race_found(void)
{
  return found;
}

int race_enter(int count, ...)
{
  va_list given;
  if (depth == MOST_DEEP || count > MOST_SHARED)
    abort();
  if (!levels[depth].cells)
    levels[depth].cells = reserved((ARENA / GRAIN + OTHERS) * sizeof(struct cell));
  levels[depth].loop = ++loops;
  levels[depth].iteration = 0;
  levels[depth].shared_count = count;
  va_start(given, count);
  for (int k = 0; k < count; k++) {
    uintptr_t start = (uintptr_t)va_arg(given, void *);
    levels[depth].shared[k] = (struct range){start, start + va_arg(given, size_t)};
  }
  va_end(given);
  depth++;
  return 1;
}

int race_step(void)
{
  levels[depth - 1].iteration++;
  return 1;
}

int race_leave(void)
{
  depth--;
  return 0;
}

static int is_shared(int level, uintptr_t at)
{
  for (int k = 0; k < levels[level].shared_count; k++)
    if (levels[level].shared[k].start <= at && at < levels[level].shared[k].end)
      return 1;
  return 0;
}

static struct cell *cell_of(int level, uintptr_t at)
{
  if (at - arena < ARENA)
    return &levels[level].cells[(at - arena) / GRAIN];
  if (!is_shared(level, at))
    return 0;
  /* Shared variables are on one stack: none takes the place of another. */
  return &levels[level].cells[ARENA / GRAIN + at / GRAIN % OTHERS];
}

static void accessed(uintptr_t at, int is_write)
{
  for (int level = 0; level < depth; level++) {
    struct cell *cell = cell_of(level, at);
    int32_t now = levels[level].iteration;
    if (!cell || !now)
      continue;
    if (cell->loop != levels[level].loop)
      *cell = (struct cell){.loop = levels[level].loop};
    found |= cell->writer && cell->writer != now;
    found |= is_write && cell->reader && cell->reader != now;
    if (is_write)
      cell->writer = now;
    else
      cell->reader = !cell->reader || cell->reader == now ? now : MANY;
  }
}

#define ACCESS(bytes)                                                                              \
  void __tsan_read##bytes(void *at) { accessed((uintptr_t)at, 0); }                                \
  void __tsan_write##bytes(void *at) { accessed((uintptr_t)at, 1); }                               \
  void __tsan_unaligned_read##bytes(void *at) { accessed((uintptr_t)at, 0); }                      \
  void __tsan_unaligned_write##bytes(void *at) { accessed((uintptr_t)at, 1); }

ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void __tsan_init(void) {}
void __tsan_func_entry(void *at) { (void)at; }
void __tsan_func_exit(void) {}

static void all_accessed(void *at, size_t bytes, int is_write)
{
  for (size_t k = 0; k < bytes; k += GRAIN)
    accessed((uintptr_t)at + k, is_write);
}

void __tsan_read_range(void *at, size_t bytes) { all_accessed(at, bytes, 0); }
void __tsan_write_range(void *at, size_t bytes) { all_accessed(at, bytes, 1); }
