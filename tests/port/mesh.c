#include <math.h>

typedef struct { float x, y, z; } vec3;

typedef struct {
    vec3 *verts;
    int (*tris)[3];
    int nverts;
    int ntris;
} mesh_t;

static vec3 sub(vec3 a, vec3 b)
{
    vec3 r = { a.x - b.x, a.y - b.y, a.z - b.z };
    return r;
}

static vec3 cross(vec3 a, vec3 b)
{
    vec3 r;
    r.x = a.y * b.z - a.z * b.y;
    r.y = a.z * b.x - a.x * b.z;
    r.z = a.x * b.y - a.y * b.x;
    return r;
}

/* Area of the surface, and of what touches each vertex. */
double mesh_area(const mesh_t *m, float *vertex_area)
{
    double total = 0.0;
    for (int i = 0; i < m->nverts; i++)
        vertex_area[i] = 0.f;
    for (int t = 0; t < m->ntris; t++) {
        const vec3 a = m->verts[m->tris[t][0]];
        const vec3 b = m->verts[m->tris[t][1]];
        const vec3 c = m->verts[m->tris[t][2]];
        vec3 n = cross(sub(b, a), sub(c, a));
        float area = 0.5f * sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
        total += area;
        for (int k = 0; k < 3; k++)
            vertex_area[m->tris[t][k]] += area / 3.f;
    }
    return total;
}
