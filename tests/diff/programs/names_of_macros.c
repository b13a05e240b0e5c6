// Names that C99 leaves to a program and that are macros of headers which CUDA includes by itself, or of C++.
// sizes: RAND_MAX=0,1,40
typedef struct { int BUFSIZ; int NAN; } Sizes;

static const double M_PI = 3.14159;
enum { CHAR_WIDTH = 6, CHAR_HEIGHT = 8 };

static double INFINITY(double FP_ZERO) { return FP_ZERO < 0 ? 0 : FP_ZERO; }

void scaled(int RAND_MAX, double a[static const restrict RAND_MAX]) {
#pragma scop
    for (int PATH_MAX = 0; PATH_MAX < RAND_MAX; PATH_MAX++) {
        double HUGE_VAL = a[PATH_MAX] * M_PI;
        a[PATH_MAX] = INFINITY(HUGE_VAL) / CHAR_WIDTH + CHAR_HEIGHT;
    }
#pragma endscop
}

int std(int RAND_MAX, const Sizes INT_MAX[static const restrict RAND_MAX]) {
    int LITTLE_ENDIAN = 0;
#pragma scop
    for (int i = 0; i < RAND_MAX; i++)
        LITTLE_ENDIAN |= INT_MAX[i].BUFSIZ ^ INT_MAX[i].NAN;
#pragma endscop
    return LITTLE_ENDIAN;
}
