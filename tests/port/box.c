typedef struct { float x, y; } point_t;

/* The smallest box around some points; `corner` gets its lower left and its upper right. */
void bounding_box(const point_t *points, int count, point_t *low, point_t *high)
{
    float left = 1e30f, right = -1e30f, bottom = 1e30f, top = -1e30f;
    for (int i = 0; i < count; i++) {
        const point_t *p = &points[i];
        if (p->x < left) left = p->x;
        if (p->x > right) right = p->x;
        if (p->y < bottom) bottom = p->y;
        if (p->y > top) top = p->y;
    }
    low->x = left;
    low->y = bottom;
    high->x = right;
    high->y = top;
}
