#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) writeonly buffer Out { uint result[]; };
shared uint told[64];

void main() {
  uint array[18432];
  uint lane = gl_LocalInvocationID.x;
  for (uint i = 0; i < 18432; ++i) array[i] = i * 1664525u ^ lane * 22695477u;
  told[lane] = array[gl_WorkGroupID.x % 1024];
  barrier();
  uint sum = told[(lane + 1) % 64];
  barrier();
  for (uint i = 0; i < 18432; ++i) sum = sum * 3 + array[i];
  result[gl_GlobalInvocationID.x] = sum;
}
