/* Products of struct members as bounds and as offsets. */
#include <stdlib.h>
#include "show.h"

typedef struct {
  int batch, inputs, outputs;
  float *weights, *output, *delta;
} layer;

static void forward(layer l, const float *input)
{
  for (int i = 0; i < l.batch * l.outputs; i++)
    l.output[i] = 0;
  for (int b = 0; b < l.batch; b++) /* => rewritten */
    for (int o = 0; o < l.outputs; o++)
      for (int i = 0; i < l.inputs; i++)
        l.output[b * l.outputs + o] += input[b * l.inputs + i] * l.weights[o * l.inputs + i];
}

static void inhibit(layer *l)
{
  for (int i = 0; i < l->batch * l->outputs; i++) /* => rewritten */
    for (int j = 0; j < l->batch * l->outputs; j++)
      l->delta[i] += 0.01f * l->output[i] * l->output[j] * l->weights[j];
}

int main(void)
{
  layer l = {6, 40, 32, malloc(40 * 32 * 4), malloc(6 * 32 * 4), calloc(6 * 32, 4)};
  float *input = malloc(6 * 40 * 4);
  for (int i = 0; i < 40 * 32; i++)
    l.weights[i] = (float)(i % 19) / 19 - 0.5f;
  for (int i = 0; i < 6 * 40; i++)
    input[i] = (float)(i % 10);
  forward(l, input);
  inhibit(&l);
  show_floats("output", l.output, 6 * 32);
  show_floats("delta", l.delta, 6 * 32);
  free(l.weights);
  free(l.output);
  free(l.delta);
  free(input);
  return 0;
}
