// sizes: n=0,33,1009 m=0,3 k=5
// Reductions over elements that are whole constructs, loops that are left early: what they read is not known before.
#include <pencil.h>

// Each iteration of the inner loop reads another element.
int occurrences(int n, int m, const int text[static const restrict n + m], const int word[static const restrict m])
{
  int found = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    int same = 1;
    for (int j = 0; j < m; j++)
      if (text[i + j] != word[j]) {
        same = 0;
        break;
      }
    found += same;
  }
#pragma endscop
  return found;
}

// The array has no element for every iteration: a branch says for which.
int in_front(int n, int m, int k, const int a[static const restrict k], const int word[static const restrict m])
{
  int found = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    int same = 0;
    for (int j = 0; j < m; j++)
      if (i < k && word[j] != 0) {
        if (a[i] == word[j]) {
          same = 1;
          break;
        }
      }
    found += same;
  }
#pragma endscop
  return found;
}

// The same behind a jump.
int until_the_end(int n, int m, int k, const int a[static const restrict k], const int word[static const restrict m])
{
  int found = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < m; j++) {
      if (i >= k) break;
      sum += a[i] * word[j];
    }
    found += sum;
  }
#pragma endscop
  return found;
}

// There is no iteration for what the array does not have.
int while_there(int n, int k, const int a[static const restrict k])
{
  int found = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < k - i; j++) {
      sum += a[i];
      if (sum > 20) break;
    }
    found += sum;
  }
#pragma endscop
  return found;
}

// Where the condition looks is moved by the loop.
int how_far(int n, const int text[static const restrict n])
{
  int found = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    int j = 0;
    while (text[i + j] == 1000)
      j++;
    found += j + 1;
  }
#pragma endscop
  return found;
}
