kernel void mandelbrot(global uint* out, uint n) {
  float scale = 3.f / (float)n;
  float cx = (float)get_global_id(0) * scale - 2.25f;
  float cy = (float)get_global_id(1) * scale - 1.5f;
  float zx = 0.f;
  float zy = 0.f;
  uint steps = 0;
  while (steps < 256u) {
    float x2 = zx * zx;
    float y2 = zy * zy;
    if (x2 + y2 > 4.f) break;
    zy = (zx + zx) * zy + cy;
    zx = x2 - y2 + cx;
    steps += 1u;
  }
  out[get_global_id(1) * n + get_global_id(0)] = steps;
}
