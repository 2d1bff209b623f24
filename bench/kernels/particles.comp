#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
struct Particle {
  float px, py, pz, vx, vy, vz, mass;
};
layout(std430, binding = 0) buffer Particles { Particle all[]; };

void main() {
  Particle p = all[gl_GlobalInvocationID.x];
  float drag = -0.25 / p.mass;
  p.vx += (1.0 / 1024) * (drag * p.vx);
  p.vy += (1.0 / 1024) * (drag * p.vy - 9.81);
  p.vz += (1.0 / 1024) * (drag * p.vz);
  p.px += (1.0 / 1024) * p.vx;
  p.py += (1.0 / 1024) * p.vy;
  p.pz += (1.0 / 1024) * p.vz;
  all[gl_GlobalInvocationID.x] = p;
}
