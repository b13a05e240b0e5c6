static void twice(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) a[i] = 2 * a[i];
#pragma endscop
}

/* Host code in a header: only C's rules. */
static int calls;

void wrap(int n, void *data)
{
    float *a = (float *)data, *end = a + n;
    char *text = malloc(8);
    if (!text)
        goto out;
    strcpy(text, "x");
    calls++;
    twice((int)(end - a), a);
    free(text);
out:
    return;
}
