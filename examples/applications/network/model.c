#include "model.h"

#include <math.h>
#include <stdlib.h>

#define OUT (SIDE - KERNEL + 1)
#define POOLED (OUT / 2)
#define FEATURES (FILTERS * POOLED * POOLED)

#define EACH_WEIGHTS(m, w)                                                                         \
  for (Weights *list_[] = {&(m)->kernel, &(m)->kernel_bias, &(m)->first, &(m)->first_bias,         \
                           &(m)->second, &(m)->second_bias, NULL},                                 \
               **at_ = list_, *w = *at_;                                                           \
       w != NULL; w = *++at_)

static Weights weights_new(int n, int c, int h, int w)
{
  return (Weights){tensor_new(n, c, h, w), tensor_new(n, c, h, w), tensor_new(n, c, h, w)};
}

int model_create(Model *m, int batch, unsigned seed)
{
  m->batch = batch;
  m->kernel = weights_new(FILTERS, 1, KERNEL, KERNEL);
  m->kernel_bias = weights_new(1, 1, 1, FILTERS);
  m->first = weights_new(HIDDEN, 1, 1, FEATURES);
  m->first_bias = weights_new(1, 1, 1, HIDDEN);
  m->second = weights_new(CLASSES, 1, 1, HIDDEN);
  m->second_bias = weights_new(1, 1, 1, CLASSES);
  tensor_random(&m->kernel.value, sqrtf(3.0f / (KERNEL * KERNEL)), &seed);
  tensor_random(&m->first.value, sqrtf(3.0f / FEATURES), &seed);
  tensor_random(&m->second.value, sqrtf(3.0f / HIDDEN), &seed);
  m->convolved = tensor_new(batch, FILTERS, OUT, OUT);
  m->rectified = tensor_new(batch, FILTERS, OUT, OUT);
  m->pooled = tensor_new(batch, FILTERS, POOLED, POOLED);
  m->hidden = tensor_new(batch, 1, 1, HIDDEN);
  m->active = tensor_new(batch, 1, 1, HIDDEN);
  m->scores = tensor_new(batch, 1, 1, CLASSES);
  m->d_convolved = tensor_new(batch, FILTERS, OUT, OUT);
  m->d_rectified = tensor_new(batch, FILTERS, OUT, OUT);
  m->d_pooled = tensor_new(batch, FILTERS, POOLED, POOLED);
  m->d_hidden = tensor_new(batch, 1, 1, HIDDEN);
  m->d_active = tensor_new(batch, 1, 1, HIDDEN);
  m->d_scores = tensor_new(batch, 1, 1, CLASSES);
  m->place = malloc(tensor_size(&m->pooled) * sizeof(int));
  return m->place ? 0 : -1;
}

void model_destroy(Model *m)
{
  Tensor *tensors[] = {&m->convolved, &m->rectified,   &m->pooled,   &m->hidden,
                       &m->active,    &m->scores,      &m->d_convolved, &m->d_rectified,
                       &m->d_pooled,  &m->d_hidden,    &m->d_active, &m->d_scores};
  EACH_WEIGHTS(m, w) {
    tensor_free(&w->value);
    tensor_free(&w->gradient);
    tensor_free(&w->velocity);
  }
  for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
    tensor_free(tensors[i]);
  free(m->place);
}

void model_forward(Model *m, const Tensor *images)
{
  convolution_forward(images, &m->kernel.value, m->kernel_bias.value.data, &m->convolved);
  relu_forward(m->convolved.data, m->rectified.data, (int)tensor_size(&m->convolved));
  pooling_forward(&m->rectified, &m->pooled, m->place);
  linear_forward(m->pooled.data, m->first.value.data, m->first_bias.value.data, m->hidden.data,
                 m->batch, FEATURES, HIDDEN);
  relu_forward(m->hidden.data, m->active.data, m->batch * HIDDEN);
  linear_forward(m->active.data, m->second.value.data, m->second_bias.value.data,
                 m->scores.data, m->batch, HIDDEN, CLASSES);
  softmax_rows(m->scores.data, m->batch, CLASSES);
}

float model_loss(Model *m, const int *label)
{
  return cross_entropy(m->scores.data, label, m->d_scores.data, m->batch, CLASSES);
}

void model_backward(Model *m, const Tensor *images)
{
  linear_backward(m->active.data, m->second.value.data, m->d_scores.data, m->d_active.data,
                  m->second.gradient.data, m->second_bias.gradient.data, m->batch, HIDDEN,
                  CLASSES);
  relu_backward(m->hidden.data, m->d_active.data, m->d_hidden.data, m->batch * HIDDEN);
  linear_backward(m->pooled.data, m->first.value.data, m->d_hidden.data, m->d_pooled.data,
                  m->first.gradient.data, m->first_bias.gradient.data, m->batch, FEATURES,
                  HIDDEN);
  pooling_backward(&m->d_pooled, m->place, &m->d_rectified);
  relu_backward(m->convolved.data, m->d_rectified.data, m->d_convolved.data,
                (int)tensor_size(&m->convolved));
  convolution_backward(images, &m->kernel.value, &m->d_convolved, NULL, &m->kernel.gradient,
                       m->kernel_bias.gradient.data);
}

void model_update(Model *m, float rate, float momentum, float decay)
{
  EACH_WEIGHTS(m, w) {
    size_t size = tensor_size(&w->value);
    float *value = w->value.data, *gradient = w->gradient.data, *velocity = w->velocity.data;
    for (size_t i = 0; i < size; i++) {
      velocity[i] = momentum * velocity[i] - rate * (gradient[i] + decay * value[i]);
      value[i] += velocity[i];
      gradient[i] = 0.0f;
    }
  }
}
