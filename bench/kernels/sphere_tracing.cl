float field(float3 p) {
  float sphere = length(p - (float3)(-0.8f, 0.f, 4.f)) - 1.f;
  float3 outside = max(fabs(p - (float3)(0.8f, -0.3f, 4.f)) - 0.7f, 0.f);
  float box = length(outside) - 0.05f;
  float h = max(0.5f - fabs(sphere - box), 0.f) / 0.5f;
  float melted = min(sphere, box) - h * h * 0.125f;
  return min(melted, p.y + 1.f);
}

kernel void sphere_tracing(global float* out, uint width, uint height) {
  float w = width;
  float h = height;
  float3 d = normalize((float3)(((float)get_global_id(0) + 0.5f - 0.5f * w) * (2.f / h),
                                (0.5f * h - (float)get_global_id(1) - 0.5f) * (2.f / h), 1.5f));
  float t = 0.f;
  bool hit = false;
  for (uint i = 0; i < 96; ++i) {
    float distance = field(d * t);
    if (distance < 1e-3f) {
      hit = true;
      break;
    }
    t += distance;
    if (t >= 20.f) break;
  }
  float lit = 0.f;
  if (hit) {
    float3 p = d * t;
    float3 dx = (float3)(1e-3f, 0.f, 0.f);
    float3 dy = (float3)(0.f, 1e-3f, 0.f);
    float3 dz = (float3)(0.f, 0.f, 1e-3f);
    float3 n = normalize((float3)(field(p + dx) - field(p - dx), field(p + dy) - field(p - dy),
                                  field(p + dz) - field(p - dz)));
    lit = 0.1f + 0.9f * max(dot(n, (float3)(0.57735f, 0.57735f, -0.57735f)), 0.f);
  }
  out[get_global_id(1) * width + get_global_id(0)] = lit;
}
