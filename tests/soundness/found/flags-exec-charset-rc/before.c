double a[300];
void k(void) {

#pragma scop
for (int i = 0; i < 10; i++) a[i] = 'a';
#pragma endscop

}
int main(void){ k(); return a[5]; return 0; }
