#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer In { float data[]; };
layout(std430, binding = 1) writeonly buffer Out { float result[]; };
layout(push_constant) uniform Scalars { uint n; };

void main() {
  uint x = gl_GlobalInvocationID.x;
  uint y = gl_GlobalInvocationID.y;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
    uint i = y * n + x;
    result[i] = 0.6 * data[i] + 0.1 * (data[i - 1] + data[i + 1] + data[i - n] + data[i + n]);
  }
}
