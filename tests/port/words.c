#include <ctype.h>
#include <stddef.h>

struct counts {
    long lines, words, chars;
    long freq[26];
};

static int is_letter(unsigned char c)
{
    return isalpha(c) || c == '\'';
}

void count_text(const char *text, size_t len, struct counts *c)
{
    c->lines = c->words = c->chars = 0;
    for (int k = 0; k < 26; k++)
        c->freq[k] = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char ch = (unsigned char)text[i];
        c->chars++;
        if (ch == '\n')
            c->lines++;
        if (is_letter(ch) && (i == 0 || !is_letter((unsigned char)text[i - 1])))
            c->words++;
        if (isalpha(ch))
            c->freq[tolower(ch) - 'a']++;
    }
}
