struct point { double x, y; };
struct point corner(int);

void kernel(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = corner(i).x;
#pragma endscop
}
