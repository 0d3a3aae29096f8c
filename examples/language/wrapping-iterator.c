/* A narrow iterator that wraps around: unsigned char counts 250, ..., 255, 0, ..., 3. */
#include <stdio.h>

void wrap(int visits[256], int order[16])
{
    int time = 0;

#pragma scop
    for (unsigned char i = 250; i != 4; i++) {
        visits[i] += 1;
        order[time] = i;
        time = time + 1;
    }
    for (unsigned char i = 2; i != 253; i--)
        visits[i] += 10;
#pragma endscop
}

int main(void)
{
    int visits[256] = {0}, order[16] = {0};

    wrap(visits, order);
    for (int i = 0; i < 256; i++)
        if (visits[i])
            printf("visits[%d] = %d\n", i, visits[i]);
    for (int t = 0; t < 10; t++)
        printf("%d ", order[t]);
    printf("\n");
    return 0;
}
