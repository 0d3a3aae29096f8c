struct flags { unsigned low : 3, high : 5; };

void kernel(int n, struct flags *f)
{
#pragma scop
  for (int i = 0; i < n; i++)
    f[i].low = 1;
#pragma endscop
}
