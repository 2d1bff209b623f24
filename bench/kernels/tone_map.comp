#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer In { vec4 data[]; };
layout(std430, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Scalars { uint width; };

void main() {
  uint i = gl_GlobalInvocationID.y * width + gl_GlobalInvocationID.x;
  vec3 x = data[i].xyz * 1.5;
  vec3 curve = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
  vec3 level = pow(clamp(curve, 0.0, 1.0), vec3(1.0 / 2.2));
  uvec3 bits = uvec3(level * 255.0 + 0.5);
  result[i] = bits.x | bits.y << 8 | bits.z << 16 | 0xFF000000u;
}
