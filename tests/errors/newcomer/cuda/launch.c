__global__ void kernel(float *a);
void run(float *a, int n)
{
    kernel<<<n / 256, 256>>>(a);
}
