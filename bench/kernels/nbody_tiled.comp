#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) readonly buffer Y { float y[]; };
layout(std430, binding = 2) readonly buffer Z { float z[]; };
layout(std430, binding = 3) readonly buffer Mass { float mass[]; };
layout(std430, binding = 4) writeonly buffer Ax { float ax[]; };
layout(std430, binding = 5) writeonly buffer Ay { float ay[]; };
layout(std430, binding = 6) writeonly buffer Az { float az[]; };
layout(push_constant) uniform Scalars { uint n; };
shared float tx[256], ty[256], tz[256], tm[256];

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint lane = gl_LocalInvocationID.x;
  vec3 own = vec3(x[i], y[i], z[i]);
  vec3 sum = vec3(0.0);
  for (uint start = 0; start < n; start += 256) {
    tx[lane] = x[start + lane];
    ty[lane] = y[start + lane];
    tz[lane] = z[start + lane];
    tm[lane] = mass[start + lane];
    barrier();
    for (uint j = 0; j < 256; ++j) {
      vec3 d = vec3(tx[j], ty[j], tz[j]) - own;
      float r = inversesqrt(dot(d, d) + 1e-4);
      sum += d * (r * r * r * tm[j]);
    }
    barrier();
  }
  ax[i] = sum.x;
  ay[i] = sum.y;
  az[i] = sum.z;
}
