/* Stub of <stdio.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_STDIO_H
#define __PENCILC_STDIO_H
#include <stddef.h>
typedef struct __pencilc_file FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...);
int vprintf(const char *, char *);
int vfprintf(FILE *, const char *, char *);
int vsprintf(char *, const char *, char *);
int vsnprintf(char *, size_t, const char *, char *);
int puts(const char *);
int putchar(int);
int putc(int, FILE *);
int getchar(void);
int getc(FILE *);
int fputc(int, FILE *);
int fgetc(FILE *);
int fputs(const char *, FILE *);
char *fgets(char *, int, FILE *);
FILE *fopen(const char *, const char *);
int fclose(FILE *);
int fflush(FILE *);
int feof(FILE *);
int ferror(FILE *);
int fseek(FILE *, long, int);
long ftell(FILE *);
void rewind(FILE *);
void perror(const char *);
int remove(const char *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
#endif
