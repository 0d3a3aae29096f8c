struct node {
  double value;
  struct node *next;
};

void second(int n, struct node *list, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = list->next->value;
#pragma endscop
}
