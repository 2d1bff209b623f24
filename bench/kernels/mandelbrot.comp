#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Scalars { uint n; };

void main() {
  float scale = 3.0 / float(n);
  float cx = float(gl_GlobalInvocationID.x) * scale - 2.25;
  float cy = float(gl_GlobalInvocationID.y) * scale - 1.5;
  float zx = 0.0;
  float zy = 0.0;
  uint steps = 0;
  while (steps < 256u) {
    float x2 = zx * zx;
    float y2 = zy * zy;
    if (x2 + y2 > 4.0) break;
    zy = (zx + zx) * zy + cy;
    zx = x2 - y2 + cx;
    steps += 1u;
  }
  result[gl_GlobalInvocationID.y * n + gl_GlobalInvocationID.x] = steps;
}
