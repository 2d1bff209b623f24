#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer In { uint data[]; };
layout(std430, binding = 1) buffer Out { uint result[]; };
layout(std430, binding = 2) buffer Sums { uint sums[]; };
shared uint totals[256];

// x and those of the lanes before it.
uint block_scan(uint x) {
  uint sum = subgroupInclusiveAdd(x);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1) totals[gl_SubgroupID] = sum;
  barrier();
  for (uint i = 0; i < gl_SubgroupID; ++i) sum += totals[i];
  return sum;
}

void main() {
  uint sum = block_scan(data[gl_GlobalInvocationID.x]);
  result[gl_GlobalInvocationID.x] = sum;
  if (gl_LocalInvocationID.x == 255) sums[gl_WorkGroupID.x] = sum;
}
