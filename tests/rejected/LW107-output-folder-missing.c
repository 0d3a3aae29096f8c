// options: -o no-such-folder/model.yaml
void kernel(int n, double A[n])
{
#pragma scop
  A[0] = 1;
#pragma endscop
}
