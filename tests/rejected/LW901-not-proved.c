// command: optimize
static double values_1[26];
#define values values_1
void scale(void)
{
#pragma scop
  for (int i = 0; i < 26; i++)
    for (int j = 0; j < 10; j++)
      values[i] *= 1.5;
#pragma endscop
}
