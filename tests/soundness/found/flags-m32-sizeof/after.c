int printf(const char*,...);
double a[300];
void k(void) {

#pragma scop
for (int i = 0; i < 10; i++) a[i] = 8ul;
#pragma endscop

}
int main(void){ k(); printf("%g\n",a[5]); return 0; }
