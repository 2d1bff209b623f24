#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 2) buffer States { uint states[]; };

void main() { states[gl_GlobalInvocationID.x] = 0; }
