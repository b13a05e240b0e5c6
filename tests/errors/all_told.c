// All that is wrong with the types of an expression, and with a function of which a parameter has none.
struct s { float z; };
void f(int n, const struct s a[static const restrict n], float o[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        o[i] = a[i].z + a[i].w // error[PC0012]: `s` has no member `w`
               + o[i].x // error[PC0012]: `float` has no members
               + a[i].q; // error[PC0012]: `s` has no member `q`
        if (a[i].k // error[PC0012]: `s` has no member `k`
            > a[i].l) // error[PC0012]: `s` has no member `l`
            o[i] = 2;
    }
#pragma endscop
}

void g(int n, flaot x[static const restrict n], // error[PC0001]: `flaot` is no type
       uint8_t y[static const restrict n]) // error[PC0001]: `uint8_t` is no type
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = x[i] * gain; // error[PC0010]: `gain` is not declared
#pragma endscop
}

// Nothing is known of what this function works on.
void h(int n, pixel_t p[static const restrict n]) // error[PC0001]: `pixel_t` is no type
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i].red = p[i].green;
#pragma endscop
}
