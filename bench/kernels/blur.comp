#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer In { float data[]; };
layout(std430, binding = 1) writeonly buffer Out { float result[]; };
layout(push_constant) uniform Scalars { uint width; };
const float weights[5] = float[](1.0 / 16, 4.0 / 16, 6.0 / 16, 4.0 / 16, 1.0 / 16);

void main() {
  uint first = gl_GlobalInvocationID.y * (width + 4) + gl_GlobalInvocationID.x;
  float sum = 0.0;
  for (uint dy = 0; dy < 5; ++dy) {
    for (uint dx = 0; dx < 5; ++dx) sum += weights[dy] * weights[dx] * data[first + dy * (width + 4) + dx];
  }
  result[gl_GlobalInvocationID.y * width + gl_GlobalInvocationID.x] = sum;
}
