#include <stdio.h>
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
int main(void)
{
    int a[8], s, x = 3; for (int i = 0; i < 8; i++) a[i] = i;
    printf("go\n"); __pencil_reduction_var_init(&s, zero); for (int i = 0; i < 8; i++) __pencil_reduction(&s, a[i], add); printf("%d\n", s); x++;
    printf("%d\n", x);
    return 0;
}
