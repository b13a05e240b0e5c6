/* Stub of <string.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_STRING_H
#define __PENCILC_STRING_H
#include <stddef.h>
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strchr(const char *, int);
char *strstr(const char *, const char *);
char *strdup(const char *);
char *strtok(char *, const char *);
char *strerror(int);
#endif
