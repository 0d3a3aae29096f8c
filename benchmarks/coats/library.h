/* What a library of linear algebra is written with: matrices that know their sizes, and AT.
 *
 * The program says what its elements (ELEMENT) and its sizes (INDEX) are first. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <assert.h>
#include <stddef.h>

typedef INDEX index_t;

struct matrix {
  index_t rows, cols;
  ELEMENT *data;
};

struct tensor {
  index_t planes, rows, cols;
  ELEMENT *data;
};

#define AT(m, i, j) ((m)->data[(i) * (m)->cols + (j)])
#define AT3(m, i, j, k) ((m)->data[((i) * (m)->rows + (j)) * (m)->cols + (k)])

/* No size is empty, none is beyond what the library is made for. */
#define REASONABLE(size) ((size) > 1 && (size) <= 32768)

#endif
