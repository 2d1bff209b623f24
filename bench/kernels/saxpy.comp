#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Scalars { float a; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  y[i] = a * x[i] + y[i];
}
