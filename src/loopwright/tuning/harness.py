"""A driver behind a program: it calls one function, tells how long it took and what came out.

The driver stands in the same file, so that static functions and variables are within its reach, and
the user's own ``main`` is called something else.  It takes the number of calls, a file for what it
tells, a file for the arrays or ``-``, the number of a data set, the values of the integers, and for
each array that needs memory the number of its elements and three numbers that describe its
diagonal.  It tells where each array is and how large; for each call the seconds, and after the
first one a number for each array in which every bit counts; one NaN is like another.  What the
function itself prints does not get in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from loopwright.basics.records import record
from loopwright.tuning.calls import Call, Elements, Integer, Number
from loopwright.tuning.sizes import Shape

USER_MAIN = "-Dmain=lw_run_user_main"
RESULT = "the result"
"""What the driver calls that which the function returns."""
EXACT_MEMORY = "-DLW_RUN_EXACT_MEMORY"
"""Without it, there is room behind each array, so that one too far does no harm there."""

POSITIVE, SIGNED, WHOLE = range(3)
"""The data sets: numbers from 1 to 2; of both signs and many magnitudes; small whole numbers.

Of the last, sums are exact in any order; of the second, they rarely are.
"""

_NAMES = (
    "main argc argv name at count size kind is_unsigned diagonal row inner x data h a salt f l i "
    "k is_real sum word memory d t T"
)
"""The program may have macros of these names of the driver, and needs them no more."""
_START = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
enum lw_run_kind { LW_RUN_BOOL, LW_RUN_INTEGER, LW_RUN_FLOAT, LW_RUN_DOUBLE, LW_RUN_LONG };
struct lw_run_array {
  const char *name;
  unsigned char *at;
  size_t count, size;
  enum lw_run_kind kind;
  int is_unsigned;
  size_t diagonal, row, inner;
};
#ifdef __cplusplus
struct lw_run_pointer {
  void *at;
  template <typename T> operator T *() const { return (T *)at; }
};
#define LW_RUN_POINTER(x) (lw_run_pointer{(x)})
#else
#define LW_RUN_POINTER(x) ((void *)(x))
#endif
static uint64_t lw_run_mixed(uint64_t x)
{
  x = (x ^ (x >> 33)) * UINT64_C(0xff51afd7ed558ccd);
  x = (x ^ (x >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
  return x ^ (x >> 33);
}
static unsigned char *lw_run_memory(size_t size)
{
#ifdef LW_RUN_EXACT_MEMORY
  void *memory = NULL;
  return posix_memalign(&memory, 64, size) ? NULL : (unsigned char *)memory;
#else
  return (unsigned char *)aligned_alloc(64, (size + 191) / 64 * 64);
#endif
}
static double lw_run_number(uint64_t h, int data)
{
  double x = 1.0 + (double)(h >> 12) / 4503599627370496.0;
  if (data == 1)
    return (h & 1 ? -x : x) * (double)(1 << (h >> 1) % 12) / 64.0;
  return data == 2 ? (double)(1 + h % 97) : x;
}
static uint64_t lw_run_integer(const struct lw_run_array *a, uint64_t h, int data)
{
  if (a->kind == LW_RUN_BOOL)
    return data ? h & 1 : 1;
  if (data == 1)
    return a->is_unsigned ? h % 19 : h % 19 - 9;
  if (data == 2)
    return 1 + h % (a->size == 1 ? 100 : 1000);
  return a->size == 1 ? 1 : 1 + h % 7;
}
static uint64_t lw_run_hash(size_t k, uint64_t salt)
{
  return lw_run_mixed(k * 8191 + salt);
}
static void lw_run_set(const struct lw_run_array *a, size_t k, double x, uint64_t i)
{
  float f = (float)x;
  long double l = x;
  memset(a->at + k * a->size, 0, a->size);
  memcpy(a->at + k * a->size,
         a->kind == LW_RUN_FLOAT ? (void *)&f : a->kind == LW_RUN_DOUBLE ? (void *)&x
         : a->kind == LW_RUN_LONG ? (void *)&l : (void *)&i,
         a->kind == LW_RUN_LONG ? sizeof l : a->size);
}
/* This is most of what a short call costs, so that the usual types have loops of their own. */
static void lw_run_fill(const struct lw_run_array *a, uint64_t salt, int data)
{
  salt += (uint64_t)data * 104729;
  for (size_t k = 0; k < a->count; k++) {
    uint64_t h = lw_run_hash(k, salt);
    double x = lw_run_number(h, data);
    float f = (float)x;
    if (a->kind == LW_RUN_DOUBLE)
      memcpy(a->at + k * sizeof x, &x, sizeof x);
    else if (a->kind == LW_RUN_FLOAT)
      memcpy(a->at + k * sizeof f, &f, sizeof f);
    else
      lw_run_set(a, k, x, lw_run_integer(a, h, data));
  }
  int is_real =
      a->kind == LW_RUN_FLOAT || a->kind == LW_RUN_DOUBLE || a->kind == LW_RUN_LONG;
  for (size_t i = 0; a->diagonal && is_real && i < a->row; i++)
    for (size_t k = (i * a->row + i) * a->inner; k < (i * a->row + i + 1) * a->inner; k++) {
      double x = lw_run_number(lw_run_hash(k, salt), data);
      lw_run_set(a, k, x + (double)a->row * (data ? 100.0 : 1.0), 0);
    }
}
static uint64_t lw_run_sum(const struct lw_run_array *a)
{
  uint64_t sum = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t k = 0; k < a->count; k++) {
    uint64_t word[2] = {0, 0};
    const unsigned char *at = a->at + k * a->size;
    memcpy(word, at, a->kind == LW_RUN_LONG ? 10 : a->size);
    float f;
    double d;
    long double l;
    memcpy(&f, at, a->kind == LW_RUN_FLOAT ? sizeof f : 0);
    memcpy(&d, at, a->kind == LW_RUN_DOUBLE ? sizeof d : 0);
    memcpy(&l, at, a->kind == LW_RUN_LONG ? sizeof l : 0);
    if ((a->kind == LW_RUN_FLOAT && f != f) || (a->kind == LW_RUN_DOUBLE && d != d) ||
        (a->kind == LW_RUN_LONG && l != l))
      word[0] = word[1] = 1;
    sum = lw_run_mixed(sum + word[0]) ^ lw_run_mixed(word[1] + k);
  }
  return sum;
}
static double lw_run_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
"""


def tested(call: Call) -> tuple[str, ...]:
    """The names of what is compared after a call: the arrays, and the result."""
    result = (RESULT,) if call.result is not None else ()
    return (*(each.name for each in call.arrays), *result)


def driver(call: Call) -> str:
    """The text of the driver."""
    lines = [
        *(f"#undef {each}" for each in _NAMES.split()),
        _START,
        "int main(int argc, char **argv)",
        "{",
        "  (void)argc;",
    ]
    lines += [
        "  int lw_run_calls = atoi(argv[1]), lw_run_data = atoi(argv[4]);",
        "  char **lw_run_next = argv + 5;",
    ]
    lines += ['  FILE *lw_run_told = fopen(argv[2], "w");', "  if (!lw_run_told) return 3;"]
    lines += [
        f"  long long lw_run_v{at} = atoll(*lw_run_next++);" for at in range(len(call.integers))
    ]
    lines += _arrays(call)
    lines += _calls(call)
    return "\n".join([*lines, "  return 0;", "}", ""])


def _arrays(call: Call) -> list[str]:
    count = len(tested(call))
    lines = [
        f"  struct lw_run_array lw_run_arrays[{count + 1}];",
        "  memset(lw_run_arrays, 0, sizeof lw_run_arrays);",
    ]
    for at, each in enumerate(call.arrays):
        here = f"  lw_run_arrays[{at}]"
        lines += [f'{here}.name = "{each.name}";', f"{here}.kind = {_kind(each.kind)};"]
        lines.append(f"{here}.size = sizeof({each.kind});")
        lines.append(f"{here}.is_unsigned = {int(each.kind.startswith('u'))};")
        if each.is_whole:
            lines.append(f"{here}.at = (unsigned char *)&{each.name};")
            lines.append(f"{here}.count = sizeof {each.name} / sizeof({each.kind});")
            continue
        for member in ("count", "diagonal", "row", "inner"):
            lines.append(f"{here}.{member} = (size_t)atoll(*lw_run_next++);")
        lines.append(
            f"{here}.at = lw_run_memory(lw_run_arrays[{at}].count * lw_run_arrays[{at}].size);"
        )
        lines.append(f"  if (!lw_run_arrays[{at}].at) return 3;")
    if call.result is not None:
        here = f"  lw_run_arrays[{len(call.arrays)}]"
        lines += [f"  {call.result} lw_run_result = 0;", f'{here}.name = "{RESULT}";']
        lines += [f"{here}.kind = {_kind(call.result)};", f"{here}.size = sizeof lw_run_result;"]
        lines += [f"{here}.at = (unsigned char *)&lw_run_result;", f"{here}.count = 1;"]
    return lines


def _kind(kind: str) -> str:
    names = {"_Bool": "BOOL", "float": "FLOAT", "double": "DOUBLE", "long double": "LONG"}
    return f"LW_RUN_{names.get(kind, 'INTEGER')}"


def _calls(call: Call) -> list[str]:
    count = len(tested(call))
    prepared: list[str] = []
    for each in call.globals:
        if isinstance(each, Integer):
            prepared.append(f"    {each.name} = lw_run_v{call.integers.index(each)};")
        elif not each.is_whole:
            prepared.append(
                f"    {each.name} = LW_RUN_POINTER(lw_run_arrays[{call.arrays.index(each)}].at);"
            )
    passed = ", ".join(_passed(call, at) for at in range(len(call.arguments)))
    result = f"lw_run_result = ({call.result})" if call.result is not None else ""
    return [
        f"  for (int k = 0; k < {count}; k++)",
        '    fprintf(lw_run_told, "memory %p %zu %zu\\n", (void *)lw_run_arrays[k].at,',
        "            lw_run_arrays[k].count, lw_run_arrays[k].size);",
        "  fflush(lw_run_told);",
        "  for (int lw_run_i = 0; lw_run_i < lw_run_calls; lw_run_i++) {",
        f"    for (int k = 0; k < {count}; k++)",
        "      lw_run_fill(&lw_run_arrays[k], (uint64_t)k * 77773, lw_run_data);",
        *prepared,
        "    double lw_run_start = lw_run_now();",
        f"    {result}{call.function}({passed});",
        '    fprintf(lw_run_told, "time %.9f\\n", lw_run_now() - lw_run_start);',
        f"    for (int k = 0; k < {count} && lw_run_i == 0; k++)",
        '      fprintf(lw_run_told, "array %s %016llx\\n", lw_run_arrays[k].name,',
        "              (unsigned long long)lw_run_sum(&lw_run_arrays[k]));",
        "    fflush(lw_run_told);",
        "  }",
        '  FILE *lw_run_file = strcmp(argv[3], "-") ? fopen(argv[3], "wb") : NULL;',
        f"  for (int k = 0; k < {count} && lw_run_file; k++)",
        "    fwrite(lw_run_arrays[k].at, lw_run_arrays[k].size, lw_run_arrays[k].count,",
        "           lw_run_file);",
        "  if (lw_run_file) fclose(lw_run_file);",
    ]


def _passed(call: Call, at: int) -> str:
    match call.arguments[at]:
        case Integer() as integer:
            return f"lw_run_v{call.integers.index(integer)}"
        case Elements() as array:
            return f"LW_RUN_POINTER(lw_run_arrays[{call.arrays.index(array)}].at)"
        case Number():
            before = sum(isinstance(each, Number) for each in call.arguments[:at])
            return f"(lw_run_data == 1 ? -0.75 - {before} : 1.25 + {before} * 0.5)"


def arguments(call: Call, values: Mapping[str, int], shapes: Mapping[str, Shape]) -> list[str]:
    """What the driver is called with, after the number of calls, the files and the data set."""
    found = [str(values[each.name]) for each in call.integers]
    for each in call.arrays:
        if not each.is_whole:
            extents = shapes[each.name].extents
            rows, columns = extents[:2] if len(extents) > 1 else (1, 0)
            is_square = rows == columns and each.parts == 1
            row, inner = (columns, prod(extents[2:])) if is_square else (1, 1)
            count = shapes[each.name].count * each.parts
            found += [str(count), str(int(is_square)), str(row), str(inner)]
    return found


@record
class Memory:
    """Where an array was in a run, the number of its elements and the bytes of each."""

    name: str
    address: int
    count: int
    size: int


def memories(call: Call, told: Sequence[str]) -> list[Memory]:
    """Where the arrays were, from the lines that the driver told; none if it did not get there."""
    lines = [line.split()[1:] for line in told if line.startswith("memory ")]
    if len(lines) < len(tested(call)):
        return []
    return [
        Memory(name, int(address, 16), int(count), int(size))
        for name, (address, count, size) in zip(tested(call), lines, strict=True)
    ]
