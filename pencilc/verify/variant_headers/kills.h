/* What is killed holds PENCILC_FILLING in every byte: `gcc -include kills.h`, for `killed.py`. */
#ifndef PENCILC_KILLS_H
#define PENCILC_KILLS_H

static void pencilc_fill(void *start, __SIZE_TYPE__ size)
{
    __builtin_memset(start, PENCILC_FILLING, size);
}

static void pencilc_fill_rows(void *start, long long rows, __SIZE_TYPE__ size)
{
    if (rows > 0) __builtin_memset(start, PENCILC_FILLING, (__SIZE_TYPE__)rows * size);
}
#endif
