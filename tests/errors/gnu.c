// GNU C in declarations is the host's: a region that uses one of them is told.
#include <pencil.h>
#include <stdatomic.h>
extern __thread int per_thread;
static __thread int started = 3;
typedef _Float128 quad;
quad of_text(const char *text);
_Float64 wide;
__typeof__(int) counted;
extern typeof(counted) *where;
static int filled[] = {[3] = 1, [1 ... 2] = 5};
static struct { int a[4]; } rows[] = {[0 ... 1] = {.a = {[0 ... 3] = 2}}, [2].a[1 ... 2] = 7};
static const int equal[4] = {[0 ... 3] = 1}; // error[PC0013]: ranges of elements are not supported
static const __uint128_t large = 1; // error[PC0013]: type `__uint128_t` is not supported
static atomic_int shared;
static unsigned long place = __builtin_offsetof(struct pair { int a; int b; }, b);
__asm__(".globl nothing");

void uses(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = equal[1];
        a[i] += large;
        __typeof__(n) x = 1; // error[PC0013]: this type is not supported
        __auto_type y = 1; // error[PC0013]: type `__auto_type` is not supported
        a[i] += __builtin_offsetof(struct pair, b); // error[PC0010]: `__builtin_offsetof` is not declared
    }
#pragma endscop
}
