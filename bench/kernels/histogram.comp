#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer In { uint data[]; };
layout(std430, binding = 1) buffer Bins { uint bins[]; };
shared uint counts[256];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint first = gl_WorkGroupID.x * 65536 + lane;
  counts[lane] = 0;
  barrier();
  for (uint i = 0; i < 256; ++i) atomicAdd(counts[data[first + i * 256] % 256], 1);
  barrier();
  atomicAdd(bins[lane], counts[lane]);
}
