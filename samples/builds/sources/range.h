/* The least and the greatest of some values. */
#ifndef RANGE_H
#define RANGE_H

typedef struct { float least, greatest; } Range;

Range range_of(int n, const float a[static const restrict n]);

#endif
