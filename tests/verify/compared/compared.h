/* Runs many versions of a kernel on the same inputs, each in a process of its own, and says for
 * each whether it leaves the same bits in all arrays as the first one.
 *
 * It takes the place of bench.h, and includes the real one for the input values.  The program ends
 * with COMPARED_VERSIONS, the table of the versions, and COMPARED_MAIN; in between, `main` of the
 * kernel is `run_kernel`, and calls `*chosen`.  Arguments: the seconds that a version may take, and
 * for each run the sizes, with commas.  With -DRACES loops tell which of their iterations runs, and
 * a version is also wrong if two iterations of a parallel loop meet (races.c). */
#ifndef COMPARED_H
#define COMPARED_H

#define bench_begin bench_begin_really
#define bench_alloc bench_alloc_really
#define bench_start bench_start_really
#define bench_stop bench_stop_really
#include "bench.h"
#undef bench_begin
#undef bench_alloc
#undef bench_start
#undef bench_stop

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARRAYS = 32, MOST_RUNS = 256, MOST_SIZES = 8 };
enum { SAME = 0, DIFFERENT = 10, RACING = 11 }; /* sanitizers say 1 */

static int compared_sizes[MOST_SIZES];
static struct {
  void *start;
  size_t bytes;
  char type;
} compared_arrays[MOST_ARRAYS];
static int compared_count, compared_is_finite;
static uint64_t compared_hash;

#ifdef RACES
void *race_alloc(size_t bytes);
int race_found(void);
void race_begin(void);
int race_enter(int count, ...);
int race_step(void);
int race_leave(void);
#define free(pointer) ((void)(pointer))
#else
#define race_alloc malloc
#define race_found() 0
#define race_begin() ((void)0)
#endif

static inline struct bench bench_begin(int argc, char **argv)
{
  (void)argc, (void)argv;
  compared_count = 0;
  race_begin();
  return (struct bench){.repeat = 1};
}

/* The type is the first letter behind "sizeof(". An element has a value from the start. */
#define bench_alloc(bytes) compared_alloc(bytes, (#bytes)[7])

static inline void *compared_alloc(size_t bytes, char type)
{
  void *p = race_alloc(bytes);
  if (!p || compared_count == MOST_ARRAYS)
    _exit(3);
  for (size_t k = 0; type == 'd' && k < bytes / sizeof(double); k++)
    ((double *)p)[k] = bench_unit('?', compared_count, (int)k);
  for (size_t k = 0; type == 'f' && k < bytes / sizeof(float); k++)
    ((float *)p)[k] = (float)bench_unit('?', compared_count, (int)k);
  for (size_t k = 0; type == 'i' && k < bytes / sizeof(int); k++)
    ((int *)p)[k] = (int)(k % 7);
  compared_arrays[compared_count].start = p;
  compared_arrays[compared_count].bytes = bytes;
  compared_arrays[compared_count++].type = type;
  return p;
}

/* Inputs are changed a little: what is zero by chance, or equal, hides what is wrong. */
static inline void bench_start(const struct bench *b)
{
  (void)b;
  for (int a = 0; a < compared_count; a++) {
    void *start = compared_arrays[a].start;
    size_t bytes = compared_arrays[a].bytes;
    char type = compared_arrays[a].type;
    for (size_t k = 0; type == 'd' && k < bytes / sizeof(double); k++)
      ((double *)start)[k] += bench_unit('!', a, (int)k) / 1024;
    for (size_t k = 0; type == 'f' && k < bytes / sizeof(float); k++)
      ((float *)start)[k] += (float)bench_unit('!', a, (int)k) / 1024;
    for (size_t k = 0; type == 'i' && k < bytes / sizeof(int); k++)
      ((int *)start)[k] += (int)(bench_hash('!', a, (int)k) % 3);
  }
}

static inline void bench_stop(const struct bench *b)
{
  (void)b;
  compared_hash = 1469598103934665603u;
  compared_is_finite = 1;
  for (int a = 0; a < compared_count; a++) {
    const uint32_t *words = compared_arrays[a].start;
    size_t bytes = compared_arrays[a].bytes;
    for (size_t k = 0; k < bytes / 4; k++) {
      compared_hash = (compared_hash ^ words[k]) * 1099511628211u;
      compared_hash ^= compared_hash >> 29;
    }
    for (size_t k = 0; compared_arrays[a].type == 'd' && k < bytes / sizeof(double); k++)
      compared_is_finite &= isfinite(((double *)words)[k]) != 0;
    for (size_t k = 0; compared_arrays[a].type == 'f' && k < bytes / sizeof(float); k++)
      compared_is_finite &= isfinite(((float *)words)[k]) != 0;
  }
}

struct compared_run {
  const char *sizes;
  int is_usable;
  uint64_t hash;
};

static inline void compared_set(const char *sizes)
{
  for (int k = 0; k < MOST_SIZES && *sizes; k++) {
    char *end;
    compared_sizes[k] = (int)strtol(sizes, &end, 10);
    sizes = *end ? end + 1 : end;
  }
}

static inline void compared_limit(double seconds)
{
  rlim_t whole = (rlim_t)seconds + 1;
  setrlimit(RLIMIT_CPU, &(struct rlimit){whole, whole + 1});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  if (!freopen("/dev/null", "w", stderr))
    _exit(3);
}

#define COMPARED_MAIN                                                                              \
  static void compared_first(struct compared_run *run)                                             \
  {                                                                                                \
    compared_set(run->sizes);                                                                      \
    chosen = versions[0];                                                                          \
    run_kernel(1, 0);                                                                              \
    run->hash = compared_hash;                                                                     \
    run->is_usable = compared_is_finite && !race_found();                                          \
  }                                                                                                \
  static int compared_other(int number, const struct compared_run *runs, int count)                \
  {                                                                                                \
    chosen = versions[number];                                                                     \
    for (int k = 0; k < count; k++)                                                                \
      if (runs[k].is_usable) {                                                                     \
        compared_set(runs[k].sizes);                                                               \
        run_kernel(1, 0);                                                                          \
        if (compared_hash != runs[k].hash)                                                         \
          return DIFFERENT;                                                                        \
        if (race_found())                                                                          \
          return RACING;                                                                           \
      }                                                                                            \
    return SAME;                                                                                   \
  }                                                                                                \
  int main(int argc, char **argv)                                                                  \
  {                                                                                                \
    double limit = atof(argv[1]);                                                                  \
    int count = argc - 2, flags = MAP_SHARED | MAP_ANONYMOUS, status;                              \
    struct compared_run *runs =                                                                    \
        mmap(0, sizeof(*runs) * MOST_RUNS, PROT_READ | PROT_WRITE, flags, -1, 0);                  \
    for (int k = 0; k < count; k++) {                                                              \
      runs[k].sizes = argv[k + 2];                                                                 \
      if (!fork()) {                                                                               \
        compared_limit(limit);                                                                     \
        compared_first(&runs[k]);                                                                  \
        _exit(0);                                                                                  \
      }                                                                                            \
      wait(&status);                                                                               \
      if (!runs[k].is_usable)                                                                      \
        printf("unused %s\n", runs[k].sizes);                                                      \
    }                                                                                              \
    for (int k = 1; k < (int)(sizeof(versions) / sizeof(*versions)); k++)                          \
      if (versions[k]) {                                                                           \
        fflush(stdout);                                                                            \
        if (!fork()) {                                                                             \
          compared_limit(10 * limit);                                                              \
          _exit(compared_other(k, runs, count));                                                   \
        }                                                                                          \
        wait(&status);                                                                             \
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);               \
        printf("%d %d\n", k, code);                                                                \
      }                                                                                            \
    return 0;                                                                                      \
  }

#endif
