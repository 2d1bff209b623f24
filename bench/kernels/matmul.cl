kernel void matmul(global const float* a, global const float* b, global float* c, uint n) {
  local float tile_a[16 * 16], tile_b[16 * 16];
  uint x = get_local_id(0);
  uint y = get_local_id(1);
  uint column = get_global_id(0);
  uint row = get_global_id(1);
  float sum = 0.f;
  for (uint t = 0; t < n; t += 16) {
    tile_a[y * 16 + x] = a[row * n + t + x];
    tile_b[y * 16 + x] = b[(t + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; ++k) sum += tile_a[y * 16 + k] * tile_b[k * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
