/* Arrays of structs: the members of points. */
#include <math.h>
#include <stdlib.h>
#include "show.h"

typedef struct { double x, y, z; } vec3;
typedef struct { vec3 pos, acc; double mass; } body;

static void accelerate(body *bodies, int count)
{
  for (int i = 0; i < count; i++) /* => rewritten */
    for (int j = 0; j < count; j++) {
      double dx = bodies[j].pos.x - bodies[i].pos.x;
      double dy = bodies[j].pos.y - bodies[i].pos.y;
      double dz = bodies[j].pos.z - bodies[i].pos.z;
      double inv = 1.0 / sqrt(dx * dx + dy * dy + dz * dz + 0.01);
      double s = bodies[j].mass * inv * inv * inv;
      bodies[i].acc.x += dx * s;
      bodies[i].acc.y += dy * s;
      bodies[i].acc.z += dz * s;
    }
}

int main(void)
{
  int n = 48;
  body *b = calloc(n, sizeof *b);
  for (int i = 0; i < n; i++) {
    b[i].pos = (vec3){i % 5, i % 7 * 0.5, i % 11 * 0.25};
    b[i].mass = 1 + i % 3;
  }
  accelerate(b, n);
  for (int i = 0; i < n; i += 9)
    printf("%.17g %.17g %.17g\n", b[i].acc.x, b[i].acc.y, b[i].acc.z);
  free(b);
  return 0;
}
