#define MAX(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })
void clip(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = MAX(a[i], 0.0f);
#pragma endscop
}
