#include <string.h>
#include <stdlib.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* What people do with strings: lengths are measured, or found on the way. */
int count_char(const char *s, char c)
{
    int n = strlen(s), found = 0;
    for (int i = 0; i < n; i++)
        if (s[i] == c)
            found++;
    return found;
}

void upper(char *s)
{
    for (size_t i = 0; s[i] != '\0'; i++)
        if (s[i] >= 'a' && s[i] <= 'z')
            s[i] = s[i] - 'a' + 'A';
}

/* The same by pointers, from one into another. */
void copy_upper(char *dst, const char *src)
{
    while (*src) {
        char c = *src++;
        *dst++ = c >= 'a' && c <= 'z' ? c - 32 : c;
    }
    *dst = 0;
}

int hamming(const char *a, const char *b)
{
    int d = 0;
    for (size_t i = 0; i < strlen(a); i++)
        d += a[i] != b[i];
    return d;
}

int occurrences(const char *text, const char *word)
{
    int n = strlen(text), m = strlen(word), found = 0;
    for (int i = 0; i + m <= n; i++) {
        int same = 1;
        for (int j = 0; j < m; j++)
            if (text[i + j] != word[j]) {
                same = 0;
                break;
            }
        found += same;
    }
    return found;
}

int is_palindrome(const char *s)
{
    int len = (int)strlen(s);
    for (int i = 0; i < len / 2; i++)
        if (s[i] != s[len - 1 - i])
            return 0;
    return 1;
}

int lcs(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    int *table = calloc((n + 1) * (m + 1), sizeof(int));
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = 1; j <= m; j++) {
            if (a[i - 1] == b[j - 1])
                table[i * (m + 1) + j] = table[(i - 1) * (m + 1) + j - 1] + 1;
            else
                table[i * (m + 1) + j] = MAX(table[(i - 1) * (m + 1) + j], table[i * (m + 1) + j - 1]);
        }
    }
    int result = table[n * (m + 1) + m];
    free(table);
    return result;
}
