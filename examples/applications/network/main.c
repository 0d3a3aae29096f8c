/* Trains the network, and says how many pictures that it has not seen it knows.
 *
 * usage: network [EPOCHS [PICTURES]] */
#define _POSIX_C_SOURCE 199309L

#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BATCH 32

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float train(Model *m, const Data *d, float rate)
{
  float total = 0.0f;
  int batches = d->count / BATCH;
  for (int b = 0; b < batches; b++) {
    Tensor images = data_batch(d, b * BATCH, BATCH);
    model_forward(m, &images);
    total += model_loss(m, d->label + b * BATCH);
    model_backward(m, &images);
    model_update(m, rate, 0.9f, 1e-4f);
  }
  return total / (float)batches;
}

static float test(Model *m, const Data *d)
{
  int correct = 0, batches = d->count / BATCH;
  for (int b = 0; b < batches; b++) {
    Tensor images = data_batch(d, b * BATCH, BATCH);
    model_forward(m, &images);
    correct += count_correct(m->scores.data, d->label + b * BATCH, BATCH, CLASSES);
  }
  return (float)correct / (float)(batches * BATCH);
}

/* The gradient of one weight, beside a difference of losses. */
static int check_gradient(Model *m, const Data *d)
{
  Tensor images = data_batch(d, 0, BATCH);
  float *weight = &m->first.value.data[77], *gradient = &m->first.gradient.data[77];
  float kept = *weight, step = 1e-2f, up, down, expected, found;
  model_forward(m, &images);
  model_loss(m, d->label);
  model_backward(m, &images);
  found = *gradient;
  *weight = kept + step;
  model_forward(m, &images);
  up = model_loss(m, d->label);
  *weight = kept - step;
  model_forward(m, &images);
  down = model_loss(m, d->label);
  *weight = kept;
  model_update(m, 0.0f, 0.0f, 0.0f);
  expected = (up - down) / (2 * step);
  printf("gradient %.4f, by differences %.4f\n", found, expected);
  return fabsf(found - expected) < 2e-3f + 0.05f * fabsf(expected);
}

int main(int argc, char **argv)
{
  int epochs = argc > 1 ? atoi(argv[1]) : 8, count = argc > 2 ? atoi(argv[2]) : 2048;
  Model model;
  Data seen, unseen;
  float first = 0, last = 0, known;
  double t;
  int fine;

  if (epochs < 1 || count < BATCH || model_create(&model, BATCH, 12345u))
    return 2;
  if (data_create(&seen, count, 1u) || data_create(&unseen, 256, 2u))
    return 2;
  normalise_columns(seen.images.data, seen.count, SIDE * SIDE);
  normalise_columns(unseen.images.data, unseen.count, SIDE * SIDE);
  fine = check_gradient(&model, &seen);
  t = now();
  for (int e = 1; e <= epochs; e++) {
    last = train(&model, &seen, 0.02f);
    if (e == 1)
      first = last;
    printf("epoch %d: loss %.4f\n", e, last);
  }
  known = test(&model, &unseen);
  fprintf(stderr, "seconds %.6f\n", now() - t);
  printf("%.1f %% of the unseen pictures are known\n", 100 * known);
  fine = fine && last < 0.7f * first && known > 0.7f;
  printf(fine ? "VERIFIED\n" : "WRONG\n");
  model_destroy(&model);
  data_destroy(&seen);
  data_destroy(&unseen);
  return !fine;
}
