#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer In { float data[]; };
layout(std430, binding = 1) writeonly buffer Sums { float sums[]; };
shared float tile[256];

void main() {
  uint lane = gl_LocalInvocationID.x;
  tile[lane] = data[gl_GlobalInvocationID.x];
  barrier();
  for (uint d = 128; d > 0; d >>= 1) {
    if (lane < d) tile[lane] += tile[lane + d];
    barrier();
  }
  if (lane == 0) sums[gl_WorkGroupID.x] = tile[0];
}
