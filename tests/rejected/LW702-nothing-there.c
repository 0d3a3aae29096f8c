// command: deps --explain 8
void scale(int n, double A[n], double B[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        A[i] = 2 * A[i];

        /* nothing but a remark */
        B[i] = A[i]
             + B[i];
    }
#pragma endscop
}
