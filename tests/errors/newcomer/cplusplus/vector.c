#include <vector>
float sum(const std::vector<float> &a)
{
    float s = 0;
    for (float x : a)
        s += x;
    return s;
}
