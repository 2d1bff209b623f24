#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Scalars { uint k; };
shared uint tile[1024];

void merge(uint lane, uint first, uint k, uint j) {
  for (; j > 0; j >>= 1) {
    uint i = 2 * lane - (lane & (j - 1));
    uint a = tile[i];
    uint b = tile[i + j];
    if ((a > b) == (((first + i) & k) == 0)) {
      tile[i] = b;
      tile[i + j] = a;
    }
    barrier();
  }
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint first = gl_WorkGroupID.x * 1024;
  tile[lane] = data[first + lane];
  tile[lane + 512] = data[first + lane + 512];
  barrier();
  merge(lane, first, k, 512);
  data[first + lane] = tile[lane];
  data[first + lane + 512] = tile[lane + 512];
}
