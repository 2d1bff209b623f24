#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) writeonly buffer Out { float result[]; };
layout(push_constant) uniform Scalars { uint width, height; };

float field(vec3 p) {
  float ball = length(p - vec3(-0.8, 0.0, 4.0)) - 1.0;
  vec3 outside = max(abs(p - vec3(0.8, -0.3, 4.0)) - 0.7, 0.0);
  float box = length(outside) - 0.05;
  float h = max(0.5 - abs(ball - box), 0.0) / 0.5;
  float melted = min(ball, box) - h * h * 0.125;
  return min(melted, p.y + 1.0);
}

void main() {
  float w = float(width);
  float h = float(height);
  vec3 d = normalize(vec3((float(gl_GlobalInvocationID.x) + 0.5 - 0.5 * w) * (2.0 / h),
                          (0.5 * h - float(gl_GlobalInvocationID.y) - 0.5) * (2.0 / h), 1.5));
  float t = 0.0;
  bool hit = false;
  for (uint i = 0; i < 96; ++i) {
    float distance = field(d * t);
    if (distance < 1e-3) {
      hit = true;
      break;
    }
    t += distance;
    if (t >= 20.0) break;
  }
  float lit = 0.0;
  if (hit) {
    vec3 p = d * t;
    vec3 dx = vec3(1e-3, 0.0, 0.0);
    vec3 dy = vec3(0.0, 1e-3, 0.0);
    vec3 dz = vec3(0.0, 0.0, 1e-3);
    vec3 n = normalize(vec3(field(p + dx) - field(p - dx), field(p + dy) - field(p - dy),
                            field(p + dz) - field(p - dz)));
    lit = 0.1 + 0.9 * max(dot(n, vec3(0.57735, 0.57735, -0.57735)), 0.0);
  }
  result[gl_GlobalInvocationID.y * width + gl_GlobalInvocationID.x] = lit;
}
