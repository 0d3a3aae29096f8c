#define S1 A[i] = i;
#define S4 S1 S1 S1 S1
#define S16 S4 S4 S4 S4
#define S64 S16 S16 S16 S16
#define S256 S64 S64 S64 S64
#define S1024 S256 S256 S256 S256
#define S4096 S1024 S1024 S1024 S1024
#define S16384 S4096 S4096 S4096 S4096

void kernel(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    S16384
  }
#pragma endscop
}
