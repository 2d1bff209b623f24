kernel void nbody(global const float* x, global const float* y, global const float* z, global const float* mass,
                  global float* ax, global float* ay, global float* az, uint n) {
  size_t i = get_global_id(0);
  float3 own = (float3)(x[i], y[i], z[i]);
  float3 sum = (float3)(0.f);
  for (uint j = 0; j < n; ++j) {
    float3 d = (float3)(x[j], y[j], z[j]) - own;
    float r = rsqrt(dot(d, d) + 1e-4f);
    sum += d * (r * r * r * mass[j]);
  }
  ax[i] = sum.x;
  ay[i] = sum.y;
  az[i] = sum.z;
}
