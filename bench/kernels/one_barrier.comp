#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer In { float data[]; };
layout(std430, binding = 1) writeonly buffer Out { float result[]; };
shared float tile[256];

void main() {
  uint lane = gl_LocalInvocationID.x;
  tile[lane] = data[gl_GlobalInvocationID.x];
  barrier();
  result[gl_GlobalInvocationID.x] = tile[255 - lane];
}
