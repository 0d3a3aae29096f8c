/* Tensors: rows of floats that know their shape. */
#ifndef TENSOR_H
#define TENSOR_H

#include <stddef.h>

typedef struct {
  int n, c, h, w; /* batch, channels, height, width; rows and columns are n and w */
  float *data;
} Tensor;

static inline size_t tensor_size(const Tensor *t)
{
  return (size_t)t->n * t->c * t->h * t->w;
}

static inline float *tensor_at(const Tensor *t, int n, int c, int h, int w)
{
  return t->data + ((size_t)(n * t->c + c) * t->h + h) * t->w + w;
}

Tensor tensor_new(int n, int c, int h, int w);
void tensor_free(Tensor *t);
void tensor_zero(Tensor *t);
void tensor_random(Tensor *t, float scale, unsigned *seed);
unsigned next_random(unsigned *seed);
float random_float(unsigned *seed);

/* layers.c: all of them add into gradients */
void linear_forward(const float *x, const float *w, const float *b, float *y, int batch, int in,
                    int out);
void linear_backward(const float *x, const float *w, const float *dy, float *dx, float *dw,
                     float *db, int batch, int in, int out);
void relu_forward(const float *x, float *y, int count);
void relu_backward(const float *x, const float *dy, float *dx, int count);
void softmax_rows(float *x, int rows, int cols);
float cross_entropy(const float *p, const int *label, float *dx, int rows, int cols);
int count_correct(const float *p, const int *label, int rows, int cols);
void normalise_columns(float *x, int rows, int cols);

/* convolution.c */
void convolution_forward(const Tensor *x, const Tensor *w, const float *b, Tensor *y);
void convolution_backward(const Tensor *x, const Tensor *w, const Tensor *dy, Tensor *dx,
                          Tensor *dw, float *db);
void pooling_forward(const Tensor *x, Tensor *y, int *place);
void pooling_backward(const Tensor *dy, const int *place, Tensor *dx);

#endif
