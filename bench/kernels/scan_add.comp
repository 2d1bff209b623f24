#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer In { uint data[]; };
layout(std430, binding = 1) buffer Out { uint result[]; };
layout(std430, binding = 2) buffer Sums { uint sums[]; };

void main() {
  if (gl_WorkGroupID.x > 0) result[gl_GlobalInvocationID.x] += sums[gl_WorkGroupID.x - 1];
}
