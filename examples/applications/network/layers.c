#include "tensor.h"

#include <math.h>

void linear_forward(const float *x, const float *w, const float *b, float *y, int batch, int in,
                    int out)
{
  for (int n = 0; n < batch; n++)
    for (int o = 0; o < out; o++) {
      float sum = b[o];
      for (int i = 0; i < in; i++)
        sum += x[n * in + i] * w[o * in + i];
      y[n * out + o] = sum;
    }
}

void linear_backward(const float *x, const float *w, const float *dy, float *dx, float *dw,
                     float *db, int batch, int in, int out)
{
  for (int n = 0; n < batch; n++) {
    const float *d = dy + n * out;
    float *to = dx + n * in;
    for (int i = 0; i < in; i++)
      to[i] = 0.0f;
    for (int o = 0; o < out; o++) {
      const float *row = w + o * in;
      for (int i = 0; i < in; i++)
        to[i] += row[i] * d[o];
    }
  }
  for (int o = 0; o < out; o++)
    for (int n = 0; n < batch; n++) {
      float d = dy[n * out + o];
      db[o] += d;
      for (int i = 0; i < in; i++)
        dw[o * in + i] += d * x[n * in + i];
    }
}

void relu_forward(const float *x, float *y, int count)
{
  for (int i = 0; i < count; i++)
    y[i] = x[i] > 0 ? x[i] : 0.0f;
}

void relu_backward(const float *x, const float *dy, float *dx, int count)
{
  for (int i = 0; i < count; i++)
    dx[i] = x[i] > 0 ? dy[i] : 0.0f;
}

void softmax_rows(float *x, int rows, int cols)
{
  for (int r = 0; r < rows; r++) {
    float *row = x + r * cols;
    float max = row[0], sum = 0.0f;
    for (int i = 1; i < cols; i++)
      if (row[i] > max)
        max = row[i];
    for (int i = 0; i < cols; i++) {
      row[i] = expf(row[i] - max);
      sum += row[i];
    }
    for (int i = 0; i < cols; i++)
      row[i] /= sum;
  }
}

/* The mean loss, and what it changes by for each score. */
float cross_entropy(const float *p, const int *label, float *dx, int rows, int cols)
{
  float loss = 0.0f;
  for (int r = 0; r < rows; r++) {
    loss -= logf(p[r * cols + label[r]] + 1e-9f);
    for (int c = 0; c < cols; c++)
      dx[r * cols + c] = (p[r * cols + c] - (c == label[r] ? 1.0f : 0.0f)) / rows;
  }
  return loss / rows;
}

int count_correct(const float *p, const int *label, int rows, int cols)
{
  int correct = 0;
  for (int r = 0; r < rows; r++) {
    int best = 0;
    for (int c = 1; c < cols; c++)
      if (p[r * cols + c] > p[r * cols + best])
        best = c;
    correct += best == label[r];
  }
  return correct;
}

/* Mean zero and variance one in each column. */
void normalise_columns(float *x, int rows, int cols)
{
  for (int c = 0; c < cols; c++) {
    float mean = 0.0f, var = 0.0f;
    for (int r = 0; r < rows; r++)
      mean += x[r * cols + c];
    mean /= rows;
    for (int r = 0; r < rows; r++)
      var += (x[r * cols + c] - mean) * (x[r * cols + c] - mean);
    var = sqrtf(var / rows + 1e-5f);
    for (int r = 0; r < rows; r++)
      x[r * cols + c] = (x[r * cols + c] - mean) / var;
  }
}
