/* Nests in a header: its text belongs to all who include it. */
static void header_scale(int n, double *x, double by)
{
  for (int i = 0; i < n; i++)
    x[i] *= by;
}

static inline double header_mix(double x, double y)
{
  return 0.75 * x + 0.25 * y;
}
