/* Rain by station and month, and the centres of groups of points: what is added to is in the data. */
#include <math.h>
#include <stdio.h>

typedef struct { float low, high; double mean, deviation; int wet; } Summary;
typedef struct { float x, y; int members; } Centre;
typedef struct { float x, y; } Point;

void monthly(const float *mm, const int *station, int n, int stations, float *total)
{
    for (int s = 0; s < stations; s++)
        total[s] = 0;
    for (int i = 0; i < n; i++)
        total[station[i]] += mm[i];
}

Summary summarize(const float *mm, int n)
{
    Summary s = {mm[0], mm[0], 0, 0, 0};
    for (int i = 0; i < n; i++) {
        if (mm[i] < s.low) s.low = mm[i];
        if (mm[i] > s.high) s.high = mm[i];
        s.mean += mm[i];
        s.wet += mm[i] > 0.1f;
    }
    s.mean /= n;
    for (int i = 0; i < n; i++)
        s.deviation += (mm[i] - s.mean) * (mm[i] - s.mean);
    s.deviation = sqrt(s.deviation / n);
    return s;
}

void move_centres(const Point *p, const int *group, int n, Centre *c, int k)
{
    for (int j = 0; j < k; j++) {
        c[j].x = c[j].y = 0;
        c[j].members = 0;
    }
    for (int i = 0; i < n; i++) {
        Centre *own = &c[group[i]];
        own->x += p[i].x;
        own->y += p[i].y;
        own->members++;
    }
    for (int j = 0; j < k; j++)
        if (c[j].members > 0) {
            c[j].x /= c[j].members;
            c[j].y /= c[j].members;
        }
}

int main(void)
{
    float mm[60], total[4];
    int station[60];
    Point p[60];
    Centre c[4];
    for (int i = 0; i < 60; i++) {
        mm[i] = (float)(i * 7 % 11) / 4;
        station[i] = i * 5 % 4;
        p[i].x = (float)(i % 8);
        p[i].y = (float)(i % 4);
    }
    monthly(mm, station, 60, 4, total);
    move_centres(p, station, 60, c, 4);
    Summary s = summarize(mm, 60);
    printf("%g %g %g %g %g %g %d\n", total[0], total[3], c[1].x, c[2].y, s.low, s.high, s.wet);
    return 0;
}
