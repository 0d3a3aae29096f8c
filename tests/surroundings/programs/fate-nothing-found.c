/* Nothing that could be a region: no error. */
#include <stdio.h>
#include <string.h>

int main(void)
{
  const char *words[] = {"one", "three", "five", NULL};
  size_t total = 0;
  for (const char **each = words; *each; each++) /* => left: */
    total += strlen(*each);
  printf("%zu\n", total);
  return 0;
}
