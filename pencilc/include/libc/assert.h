/* Stub of <assert.h> for pencilc's preprocessor; never given to a C compiler. */
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
void assert();
#endif
