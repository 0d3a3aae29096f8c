/* A network: convolution, pooling, two layers; and how it is trained. */
#ifndef MODEL_H
#define MODEL_H

#include "tensor.h"

#define SIDE 16
#define KERNEL 5
#define FILTERS 8
#define HIDDEN 64
#define CLASSES 4

typedef struct {
  Tensor value, gradient, velocity;
} Weights;

typedef struct {
  int batch;
  Weights kernel, kernel_bias, first, first_bias, second, second_bias;
  Tensor convolved, rectified, pooled, hidden, active, scores;
  Tensor d_convolved, d_rectified, d_pooled, d_hidden, d_active, d_scores;
  int *place;
} Model;

typedef struct {
  int count;
  Tensor images;
  int *label;
} Data;

int model_create(Model *m, int batch, unsigned seed);
void model_destroy(Model *m);
void model_forward(Model *m, const Tensor *images);
float model_loss(Model *m, const int *label);
void model_backward(Model *m, const Tensor *images);
void model_update(Model *m, float rate, float momentum, float decay);

int data_create(Data *d, int count, unsigned seed);
void data_destroy(Data *d);
Tensor data_batch(const Data *d, int first, int batch);

#endif
