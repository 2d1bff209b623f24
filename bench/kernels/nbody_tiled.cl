kernel void nbody_tiled(global const float* x, global const float* y, global const float* z, global const float* mass,
                        global float* ax, global float* ay, global float* az, uint n) {
  local float tx[256], ty[256], tz[256], tm[256];
  size_t i = get_global_id(0);
  uint lane = get_local_id(0);
  float3 own = (float3)(x[i], y[i], z[i]);
  float3 sum = (float3)(0.f);
  for (uint start = 0; start < n; start += 256) {
    tx[lane] = x[start + lane];
    ty[lane] = y[start + lane];
    tz[lane] = z[start + lane];
    tm[lane] = mass[start + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < 256; ++j) {
      float3 d = (float3)(tx[j], ty[j], tz[j]) - own;
      float r = rsqrt(dot(d, d) + 1e-4f);
      sum += d * (r * r * r * tm[j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  ax[i] = sum.x;
  ay[i] = sum.y;
  az[i] = sum.z;
}
