/* How many steps each point of a grid takes to escape, at most `most`. */
void escape(unsigned short *steps, int width, int height, double left, double top, double scale, int most)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double cr = left + x * scale, ci = top - y * scale;
            double zr = 0, zi = 0;
            int step = 0;
            while (step < most && zr * zr + zi * zi <= 4.0) {
                double next = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = next;
                step++;
            }
            *(steps + y * width + x) = (unsigned short)step;
        }
}
