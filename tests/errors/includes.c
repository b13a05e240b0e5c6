#include "missing.h" // error[PC0002]: `missing.h` not found
#include <sys/unknown.h> // warning[PC0002]: `sys/unknown.h` not found
#error no // error[PC0005]: #error no
int x;
