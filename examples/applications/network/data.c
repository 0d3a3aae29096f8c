/* Pictures of four kinds: bars that lie, bars that stand, discs, frames; with noise. */
#include "model.h"

#include <stdlib.h>

static void draw(float *image, int kind, unsigned *seed)
{
  int cx = 5 + (int)(next_random(seed) % 6), cy = 5 + (int)(next_random(seed) % 6);
  int r = 2 + (int)(next_random(seed) % 3);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      int dx = abs(x - cx), dy = abs(y - cy), inside;
      switch (kind) {
      case 0: inside = dy <= 1 && dx <= r + 2; break;
      case 1: inside = dx <= 1 && dy <= r + 2; break;
      case 2: inside = dx * dx + dy * dy <= r * r; break;
      default: inside = (dx == r + 1 && dy <= r + 1) || (dy == r + 1 && dx <= r + 1);
      }
      image[y * SIDE + x] = (float)inside + 0.3f * (random_float(seed) - 0.5f);
    }
}

int data_create(Data *d, int count, unsigned seed)
{
  d->count = count;
  d->images = tensor_new(count, 1, SIDE, SIDE);
  d->label = malloc((size_t)count * sizeof(int));
  if (d->label == NULL)
    return -1;
  for (int i = 0; i < count; i++) {
    d->label[i] = (int)(next_random(&seed) % CLASSES);
    draw(tensor_at(&d->images, i, 0, 0, 0), d->label[i], &seed);
  }
  return 0;
}

void data_destroy(Data *d)
{
  tensor_free(&d->images);
  free(d->label);
}

/* A part of the pictures; its memory is that of all. */
Tensor data_batch(const Data *d, int first, int batch)
{
  Tensor t = d->images;
  t.n = batch;
  t.data = tensor_at(&d->images, first, 0, 0, 0);
  return t;
}
