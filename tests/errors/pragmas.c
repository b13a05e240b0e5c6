// Mistakes in pragmas.
void typo(int n, float a[static const restrict n])
{
#pragma scop
#pragma pencil indepenent // warning[PC0101]: unknown word `indepenent` in pragma: did you mean `independent`?
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}

void stray(int n, float a[static const restrict n])
{
#pragma scop
#pragma pencil independent always // warning[PC0103]: stray `always`
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}

void not_before_a_loop(int n, float a[static const restrict n])
{
#pragma pencil independent // error[PC0102]: stands before no loop
    a[0] = 1;
#pragma pencil independent // error[PC0102]: stands before no loop
}

void unbalanced(int n, float a[static const restrict n])
{
#pragma scop // error[PC0104]: `#pragma scop` without `#pragma endscop`
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

void unbalanced_too(int n, float a[static const restrict n])
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop // error[PC0104]: `#pragma endscop` without `#pragma scop`
}

void nested(int n, float a[static const restrict n])
{
#pragma scop
#pragma scop // error[PC0105]: inside another one
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}

void mistyped(int n, float a[static const restrict n])
{
#pragma scpo // warning[PC0101]: did you mean `scop`?
#pragma pencil independent reduction(plus: n) // error[PC0210]: unknown reduction operator `plus`
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

#pragma scop // error[PC0104]: outside a function
int between;
