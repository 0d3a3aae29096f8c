/* Scalars that carry values between statements and iterations: prefix sums and a recurrence. */
#include <stdio.h>

enum { N = 9 };

void filter(int n, const double x[], double y[], double z[])
{
    double previous = 0.0;
    double state = 1.0;

#pragma scop
    for (int i = 0; i < n; i++) {
        double current = x[i];
        double difference = current - previous;
        previous = current;
        state = 0.5 * state + difference;
        y[i] = state;
    }
    state = 0.0;
    for (int i = n - 1; i >= 0; i--) {
        state = state + y[i];
        z[i] = state;
    }
#pragma endscop
}

int main(void)
{
    double x[N], y[N] = {0}, z[N] = {0};
    int sizes[] = {0, 1, N};

    for (int i = 0; i < N; i++)
        x[i] = i * i % 5;
    for (int s = 0; s < 3; s++) {
        filter(sizes[s], x, y, z);
        for (int i = 0; i < N; i++)
            printf("%.4f/%.4f%c", y[i], z[i], i == N - 1 ? '\n' : ' ');
    }
    return 0;
}
