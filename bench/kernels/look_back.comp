#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer In { uint data[]; };
layout(std430, binding = 1) buffer Out { uint result[]; };
layout(std430, binding = 2) coherent buffer States { uint states[]; };
shared uint before;
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
  if (gl_LocalInvocationID.x == 255) {
    uint block = gl_WorkGroupID.x;
    uint total = 0;
    atomicExchange(states[block], 1u << 30 | sum);
    while (block > 0) {
      uint state = atomicOr(states[block - 1], 0);
      total += state & ((1u << 30) - 1);
      if (state >= 2u << 30) break;
      block -= state >> 30;
    }
    atomicExchange(states[gl_WorkGroupID.x], 2u << 30 | (total + sum));
    before = total;
  }
  barrier();
  result[gl_GlobalInvocationID.x] = before + sum;
}
