// A pixel that no neighbour reaches: the condition leaves out the pixel itself, and neighbours that are not there.
// sizes: h=1,2,3,19 w=1,2,33
int nms(int h, int w, const int img[static const restrict h][w], const int mean[static const restrict h][w], unsigned char keep[static const restrict h][w]) {
    int kept = 0;
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            unsigned char k = img[y][x] > mean[y][x];
            for (int v = -1; v <= 1; v++)
                for (int u = -1; u <= 1; u++)
                    if ((u != 0 || v != 0) && y + v >= 0 && y + v < h && x + u >= 0 && x + u < w && img[y + v][x + u] >= img[y][x])
                        k = 0;
            keep[y][x] = k;
            kept += keep[y][x];
        }
#pragma endscop
    return kept;
}
