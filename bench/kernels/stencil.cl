kernel void stencil(global const float* in, global float* out, uint n) {
  uint x = get_global_id(0);
  uint y = get_global_id(1);
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
    uint i = y * n + x;
    out[i] = 0.6f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
  }
}
