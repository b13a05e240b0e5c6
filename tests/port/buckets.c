#include <stdint.h>
#include <string.h>

#define BUCKETS 4096

static uint32_t fnv1a(const unsigned char *p, int len)
{
    uint32_t h = 2166136261u;
    while (len-- > 0) {
        h ^= *p++;
        h *= 16777619u;
    }
    return h;
}

/* How many records of a fixed size fall into each bucket. */
void count_buckets(const unsigned char *records, int n, int size, int *buckets)
{
    memset(buckets, 0, BUCKETS * sizeof(int));
    for (int i = 0; i < n; i++)
        buckets[fnv1a(records + i * size, size) % BUCKETS]++;
}
