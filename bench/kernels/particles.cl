typedef struct {
  float px, py, pz, vx, vy, vz, mass;
} Particle;

kernel void particles(global Particle* all) {
  Particle p = all[get_global_id(0)];
  float drag = -0.25f / p.mass;
  p.vx += (1.f / 1024) * (drag * p.vx);
  p.vy += (1.f / 1024) * (drag * p.vy - 9.81f);
  p.vz += (1.f / 1024) * (drag * p.vz);
  p.px += (1.f / 1024) * p.vx;
  p.py += (1.f / 1024) * p.vy;
  p.pz += (1.f / 1024) * p.vz;
  all[get_global_id(0)] = p;
}
