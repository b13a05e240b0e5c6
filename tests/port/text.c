#include <stddef.h>

/* Lines, words and the longest run of letters of a text: characters that are not letters end a word. */
static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

long words(const char *text, size_t length, long *lines, long *vowels)
{
    long found = 0;
    *lines = 0;
    *vowels = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '\n')
            ++*lines;
        if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u')
            (*vowels)++;
        if (is_letter(c) && (i == 0 || !is_letter(text[i - 1])))
            found++;
    }
    return found;
}
