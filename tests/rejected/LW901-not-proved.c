// command: optimize --strict --no-reschedule --std gnu++17
double values[26];
void scale(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 10; j++)
      values<:i:> *= 1.5;
#pragma endscop
}
