#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Scalars { uint n; };
shared float tile_a[16 * 16], tile_b[16 * 16];

void main() {
  uint x = gl_LocalInvocationID.x;
  uint y = gl_LocalInvocationID.y;
  uint column = gl_GlobalInvocationID.x;
  uint row = gl_GlobalInvocationID.y;
  float sum = 0.0;
  for (uint t = 0; t < n; t += 16) {
    tile_a[y * 16 + x] = a[row * n + t + x];
    tile_b[y * 16 + x] = b[(t + y) * n + column];
    barrier();
    for (uint k = 0; k < 16; ++k) sum += tile_a[y * 16 + k] * tile_b[k * 16 + x];
    barrier();
  }
  c[row * n + column] = sum;
}
