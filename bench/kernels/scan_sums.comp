#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 2) buffer Sums { uint sums[]; };
layout(push_constant) uniform Scalars { uint blocks; };
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
  uint lane = gl_LocalInvocationID.x;
  if (lane == 0) before = 0;
  for (uint first = 0; first < blocks; first += 256) {
    uint sum = block_scan(sums[first + lane]) + before;
    sums[first + lane] = sum;
    barrier();
    if (lane == 255) before = sum;
    barrier();
  }
}
