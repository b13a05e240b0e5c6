/* Arrays whose types have names, memory that is copied and cleared as a whole, structs that are global. */
#include <string.h>

#define N 32
#define MOST 40

typedef unsigned char Board[N][N];
typedef struct {
    float x, y;
} Point;
struct Settings {
    float step, pull;
};

struct Point3 {
    float x, v, m;
} points[MOST];
int used;
struct Settings settings = {0.5f, 9.81f};

void generation(Board board)
{
    Board next;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int s = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    if (di || dj)
                        s += board[(i + di + N) % N][(j + dj + N) % N];
            next[i][j] = s == 3 || (s == 2 && board[i][j]);
        }
    memcpy(board, next, sizeof(Board));
}

void restart(Point *from, Point *to, int n, int *counts, int m)
{
    memset(counts, 0, m * sizeof(int));
    memcpy(to, from, n * sizeof *from);
    memset(from, 0, n * sizeof(Point));
}

void means(const Point *p, int n, Point *centre, int k, const int *label, int *count)
{
    memset(count, 0, k * sizeof(int));
    for (int i = 0; i < n; i++)
        count[label[i]]++;
    for (int c = 0; c < k; c++) {
        centre[c].x = p[c % n].x + count[c];
        centre[c].y = 0;
    }
}

void advance(void)
{
    for (int i = 0; i < used; i++) {
        points[i].v -= settings.pull * settings.step;
        points[i].x += points[i].v * settings.step;
    }
}
