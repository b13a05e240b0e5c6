// The brace that is told is the one that the layout shows to be open; the next function is read all the same.
void f(int n)
{
    if (n) {
        if (n > 1) { // error[PC0001]: this `{` is never closed
            n = 1;
    }
}

void g(int n)
{
    n = ; // error[PC0001]: expected an expression before `;`
}

void h(int n)
{
#pragma scop
    n = 1 2; // error[PC0001]: expected `;` before `2`
#pragma endscop
}
