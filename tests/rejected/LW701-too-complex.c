// command: deps --max-operations 100
void stencil(int t, int n, double A[n])
{
#pragma scop
    for (int k = 0; k < t; k++)
        for (int i = 1; i < n - 1; i++)
            A[i] = (A[i - 1] + A[i] + A[i + 1]) / 3;
#pragma endscop
}
