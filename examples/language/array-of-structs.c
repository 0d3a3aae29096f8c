/* An array of structs and p->x: particles with forces between neighbours. */
#include <stdio.h>

enum { N = 7 };

struct particle {
    double position, velocity, force;
    double history[2];
};

struct system {
    double stiffness, step, energy;
};

void simulate(int steps, int n, struct particle p[], struct system *s)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            p[i].force = 0.0;
            p[i].history[t % 2] = p[i].position;
        }
        for (int i = 0; i < n - 1; i++) {
            double stretch = p[i + 1].position - p[i].position - 1.0;
            p[i].force += s->stiffness * stretch;
            p[i + 1].force -= s->stiffness * stretch;
        }
        s->energy = 0.0;
        for (int i = 0; i < n; i++) {
            p[i].velocity += s->step * p[i].force;
            p[i].position += s->step * p[i].velocity;
            s->energy += 0.5 * p[i].velocity * p[i].velocity;
        }
    }
#pragma endscop
}

int main(void)
{
    for (int n = 1; n <= N; n += 3) {
        struct particle p[N] = {{0}};
        struct system s = {.stiffness = 2.0, .step = 0.125, .energy = 0.0};
        for (int i = 0; i < N; i++)
            p[i].position = 1.25 * i;
        simulate(4, n, p, &s);
        printf("%.9f:", s.energy);
        for (int i = 0; i < n; i++)
            printf(" %.6f/%.6f", p[i].position, p[i].history[0]);
        printf("\n");
    }
    return 0;
}
