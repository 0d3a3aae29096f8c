#include "tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Tensor tensor_new(int n, int c, int h, int w)
{
  Tensor t = {n, c, h, w, NULL};
  t.data = calloc(tensor_size(&t), sizeof(float));
  if (t.data == NULL) {
    fprintf(stderr, "no memory for a tensor of %d x %d x %d x %d\n", n, c, h, w);
    exit(2);
  }
  return t;
}

void tensor_free(Tensor *t)
{
  free(t->data);
  t->data = NULL;
}

void tensor_zero(Tensor *t)
{
  memset(t->data, 0, tensor_size(t) * sizeof(float));
}

unsigned next_random(unsigned *seed)
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 17;
  *seed ^= *seed << 5;
  return *seed;
}

float random_float(unsigned *seed)
{
  return (float)(next_random(seed) >> 8) / 16777216.0f;
}

void tensor_random(Tensor *t, float scale, unsigned *seed)
{
  size_t size = tensor_size(t);
  for (size_t i = 0; i < size; i++)
    t->data[i] = scale * (2.0f * random_float(seed) - 1.0f);
}
