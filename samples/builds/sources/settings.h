/* Only the program reads this. */
#define COUNT 1000
