#define EVER ;;

void kernel(int n, double A[n])
{
#pragma scop
  for (EVER)
    if (A[0]++ > 9)
      break;
#pragma endscop
}
