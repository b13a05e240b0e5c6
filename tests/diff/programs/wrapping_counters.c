#include <pencil.h>
// sizes: m=0,1,200
// Counters that wrap before they meet their bounds.
void f(unsigned char m, long p[static const restrict 300])
{
#pragma scop
  for (unsigned char c = 250; c != 4; c++) p[c] = c;
  for (unsigned char c = 12; c > 1; c -= 5) p[c] += 1;
  for (unsigned char c = 250; c < 254; c += 7) p[c] += 3;
  for (unsigned char c = 0; c < m; c += 3) p[c] += 5;
  for (unsigned short c = 65530; c != 3; c++) p[c % 256] += 7;
  for (signed char c = 120; c != -125; c++) p[c & 127] += 11;
  for (unsigned short c = 0; c < 256; c += 3) p[c] += 13;
  for (unsigned i = 4294967290u; i != 3; i++) p[i % 256u] += 17;
  for (unsigned char c = 3; c != 250; c--) p[c] += 19;
#pragma endscop
}
