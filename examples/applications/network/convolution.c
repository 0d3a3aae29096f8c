/* Convolutions without padding, and pooling of 2 by 2. */
#include "tensor.h"

void convolution_forward(const Tensor *x, const Tensor *w, const float *b, Tensor *y)
{
  for (int n = 0; n < y->n; n++)
    for (int f = 0; f < y->c; f++)
      for (int i = 0; i < y->h; i++)
        for (int j = 0; j < y->w; j++) {
          float sum = b[f];
          for (int c = 0; c < x->c; c++)
            for (int u = 0; u < w->h; u++)
              for (int v = 0; v < w->w; v++)
                sum += *tensor_at(x, n, c, i + u, j + v) * *tensor_at(w, f, c, u, v);
          *tensor_at(y, n, f, i, j) = sum;
        }
}

void convolution_backward(const Tensor *x, const Tensor *w, const Tensor *dy, Tensor *dx,
                          Tensor *dw, float *db)
{
  if (dx != NULL)
    tensor_zero(dx);
  for (int n = 0; n < dy->n; n++)
    for (int f = 0; f < dy->c; f++)
      for (int i = 0; i < dy->h; i++)
        for (int j = 0; j < dy->w; j++)
          db[f] += *tensor_at(dy, n, f, i, j);
  for (int f = 0; f < w->n; f++)
    for (int c = 0; c < w->c; c++)
      for (int u = 0; u < w->h; u++)
        for (int v = 0; v < w->w; v++) {
          float sum = 0.0f;
          for (int n = 0; n < dy->n; n++)
            for (int i = 0; i < dy->h; i++)
              for (int j = 0; j < dy->w; j++)
                sum += *tensor_at(dy, n, f, i, j) * *tensor_at(x, n, c, i + u, j + v);
          *tensor_at(dw, f, c, u, v) += sum;
        }
  if (dx == NULL)
    return;
  for (int n = 0; n < dy->n; n++)
    for (int f = 0; f < dy->c; f++)
      for (int i = 0; i < dy->h; i++)
        for (int j = 0; j < dy->w; j++)
          for (int c = 0; c < dx->c; c++)
            for (int u = 0; u < w->h; u++)
              for (int v = 0; v < w->w; v++)
                *tensor_at(dx, n, c, i + u, j + v)
                    += *tensor_at(dy, n, f, i, j) * *tensor_at(w, f, c, u, v);
}

void pooling_forward(const Tensor *x, Tensor *y, int *place)
{
  int at = 0;
  for (int n = 0; n < y->n; n++)
    for (int c = 0; c < y->c; c++)
      for (int i = 0; i < y->h; i++)
        for (int j = 0; j < y->w; j++, at++) {
          float most = -1e30f;
          int where = 0;
          for (int u = 0; u < 2; u++)
            for (int v = 0; v < 2; v++) {
              int index = ((n * x->c + c) * x->h + 2 * i + u) * x->w + 2 * j + v;
              if (x->data[index] > most) {
                most = x->data[index];
                where = index;
              }
            }
          y->data[at] = most;
          place[at] = where;
        }
}

void pooling_backward(const Tensor *dy, const int *place, Tensor *dx)
{
  int size = (int)tensor_size(dy);
  tensor_zero(dx);
  for (int i = 0; i < size; i++)
    dx->data[place[i]] += dy->data[i];
}
