"""The C side of the log: what instrumented programs call, compiled once and linked to each.

The log is a stream of 64-bit words.  Each record starts with a header: the event in the lowest
byte, the number of words that follow in the next three bytes, an identifier in the upper half.
"""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

REGION, LEAVE, BASE, PRIVATE, STATEMENT, ACCESS = range(6)

LOG_VARIABLE = "LW_LOG"
"""The environment variable that tells the program where to write."""

TOO_LONG = 97
"""The exit status of a program that logs without end."""

PROTOTYPES = """\
void lw_region(int id, int count, ...);
void lw_leave(int id);
void lw_base(int id, const volatile void *address);
void lw_private(const volatile void *address, unsigned long size);
void lw_statement(int id, int count, ...);
void lw_access(int id, const volatile void *address);
"""

SOURCE = f"""\
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#define CAPACITY (1 << 16)
#define MAXIMUM (1LL << 25)
typedef long long word;
static word buffer[CAPACITY], total;
static int used, inside;
static FILE *file;
static void flush(void)
{{
  if (!file) file = fopen(getenv("{LOG_VARIABLE}"), "wb");
  if (!file || fwrite(buffer, sizeof(word), used, file) != (size_t)used) _Exit(98);
  if ((total += used) > MAXIMUM) _Exit({TOO_LONG});
  used = 0;
}}
__attribute__((destructor)) static void finish(void) {{ flush(); fclose(file); }}
static void header(int event, int count, int id)
{{
  if (used + count + 1 > CAPACITY) flush();
  buffer[used++] = (word)event | (word)count << 8 | (word)id << 32;
}}
static void words(int count, va_list list)
{{
  for (int k = 0; k < count; k++) buffer[used++] = va_arg(list, word);
}}
void lw_region(int id, int count, ...)
{{
  va_list list;
  inside = 1;
  header({REGION}, count, id);
  va_start(list, count);
  words(count, list);
  va_end(list);
}}
void lw_leave(int id) {{ header({LEAVE}, 0, id); inside = 0; }}
void lw_base(int id, const volatile void *address)
{{
  header({BASE}, 1, id);
  buffer[used++] = (word)address;
}}
void lw_private(const volatile void *address, unsigned long size)
{{
  if (!inside) return;
  header({PRIVATE}, 2, 0);
  buffer[used++] = (word)address;
  buffer[used++] = (word)size;
}}
void lw_statement(int id, int count, ...)
{{
  va_list list;
  header({STATEMENT}, count, id);
  va_start(list, count);
  words(count, list);
  va_end(list);
}}
void lw_access(int id, const volatile void *address)
{{
  if (!inside) return;
  header({ACCESS}, 1, id);
  buffer[used++] = (word)address;
}}
"""


@cache
def runtime_object() -> Path:
    """The compiled runtime, once a process."""
    folder = Path(mkdtemp(prefix="loopwright-runtime-"))
    source = folder / "runtime.c"
    source.write_text(SOURCE)
    compiled = folder / "runtime.o"
    subprocess.run(["gcc", "-O1", "-c", str(source), "-o", str(compiled)], check=True, timeout=60)
    return compiled
