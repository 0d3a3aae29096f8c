/* PPCG (Verdoolaege, Janssens 2017), Section 7.4, Listing 28: the structure of a fork of OPAL.
 *
 * The listing is schematic ("dozens of statements"). This completes it with a toy relaxation on
 * two distributions that keeps its features: unsigned iterators, a local bit mask built under
 * affine conditions, a data-dependent if on the mask, and a lattice indexed by the time parity.
 */
#include <stdio.h>

enum { SIZE = 4, STEPS = 2 };

#define G_W1 1
#define G_W2 2
#define G_W3 4
#define G_W4 8
#define G_W5 16
#define G_W6 32
#define G_BND (G_W1 | G_W2 | G_W3 | G_W4)
#define f(i) f##i

void lattice(unsigned steps, double Lattices[2][SIZE][SIZE][SIZE][2])
{
#pragma scop
    for (unsigned step = 0; step < steps; step++) {
        for (unsigned z = 0; z < SIZE; z++) {
            for (unsigned y = 0; y < SIZE; y++) {
                for (unsigned x = 0; x < SIZE; x++) {
                    double f0;
                    double f1;
                    double rho;
                    int g = 0;
                    if (x == SIZE - 1)
                        g = g | G_W1;
                    if (x == 0)
                        g = g | G_W2;
                    if (y == SIZE - 1)
                        g = g | G_W3;
                    if (y == 0)
                        g = g | G_W4;
                    if (z == SIZE - 1)
                        g = g | G_W5;
                    if (z == 0)
                        g = g | G_W6;

                    f(0) = Lattices[step % 2][z][y][x][0];
                    if (g & G_BND) {
                        f(1) = f(0);
                    } else {
                        f(1) = Lattices[step % 2][z][y][x - 1][1];
                    }

                    rho = f(0) + f(1);
                    f(0) = f(0) + 0.25 * (rho - f(0));
                    f(1) = f(1) + 0.25 * (rho - f(1));
                    Lattices[(step + 1) % 2][z][y][x][0] = f(0);
                    Lattices[(step + 1) % 2][z][y][x][1] = f(1);
                }
            }
        }
    }
#pragma endscop
}

int main(void)
{
    static double Lattices[2][SIZE][SIZE][SIZE][2];

    for (int z = 0; z < SIZE; z++)
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++) {
                Lattices[0][z][y][x][0] = 1.0 + 0.125 * x - 0.25 * y;
                Lattices[0][z][y][x][1] = 0.5 * z;
            }
    lattice(STEPS, Lattices);
    for (int z = 0; z < SIZE; z++)
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++)
                printf("%.6f%c", Lattices[STEPS % 2][z][y][x][0] + Lattices[STEPS % 2][z][y][x][1],
                       x == SIZE - 1 ? '\n' : ' ');
    return 0;
}
