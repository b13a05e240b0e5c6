/* Mean and variance of a sample. */
void moments(const float *sample, int count, float *mean, float *variance)
{
    float total = 0.f, squares = 0.f;
    for (int i = 0; i < count; i++)
        total += sample[i];
    total /= count;
    for (int i = 0; i < count; i++)
        squares += (sample[i] - total) * (sample[i] - total);
    *mean = total;
    *variance = squares / count;
}
