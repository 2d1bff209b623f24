#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Scalars { uint k, j; };

void main() {
  uint t = gl_GlobalInvocationID.x;
  uint i = 2 * t - (t & (j - 1));
  uint a = data[i];
  uint b = data[i + j];
  if ((a > b) == ((i & k) == 0)) {
    data[i] = b;
    data[i + j] = a;
  }
}
