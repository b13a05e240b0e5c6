void f(int n)
{ // error[PC0001]: never closed
    if (n) {
        n = 1;
    }
