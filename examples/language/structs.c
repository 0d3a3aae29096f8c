/* Struct members, arrays in structs, and nested structs, by value and through a pointer. */
#include <stdio.h>

enum { N = 6 };

struct vec2 {
    double x, y;
};

struct image {
    int width;
    int row[N];
    struct vec2 gradient[N];
    struct vec2 centre;
};

void analyse(int n, struct image *image, struct vec2 scale)
{
#pragma scop
    image->centre.x = 0.0;
    image->centre.y = 0.0;
    for (int i = 0; i < n; i++) {
        image->centre.x += image->row[i] * scale.x * i;
        image->centre.y += image->row[i] * scale.y;
    }
    for (int i = 0; i < n - 1; i++) {
        image->gradient[i].x = scale.x * (image->row[i + 1] - image->row[i]);
        image->gradient[i].y = 0.5 * image->gradient[i].x;
    }
#pragma endscop
}

int main(void)
{
    for (int n = 0; n <= N; n += 3) {
        struct image image = {.width = N};
        for (int i = 0; i < N; i++)
            image.row[i] = i * i - i;
        analyse(n, &image, (struct vec2){0.5, 2.0});
        printf("%.2f %.2f", image.centre.x, image.centre.y);
        for (int i = 0; i < N; i++)
            printf(" %.2f,%.2f", image.gradient[i].x, image.gradient[i].y);
        printf("\n");
    }
    return 0;
}
