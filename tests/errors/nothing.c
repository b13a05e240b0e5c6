// Nothing of PENCIL in it. // error[PC0106]: nothing to compile
int square(int x) { return x * x; }
