#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, binding = 0) readonly buffer Price { float price[]; };
layout(std430, binding = 1) readonly buffer Strike { float strike[]; };
layout(std430, binding = 2) readonly buffer Years { float years[]; };
layout(std430, binding = 3) writeonly buffer Call { float call[]; };
layout(std430, binding = 4) writeonly buffer Put { float put[]; };

float normal_distribution(float d) {
  float k = 1.0 / (1.0 + 0.2316419 * abs(d));
  float tail = 0.39894228 * exp(-0.5 * d * d) *
               (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
  return d > 0.0 ? 1.0 - tail : tail;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  float s = price[i];
  float x = strike[i];
  float t = years[i];
  float root = sqrt(t);
  float d1 = (log(s / x) + (0.02 + 0.5 * 0.3 * 0.3) * t) / (0.3 * root);
  float n1 = normal_distribution(d1);
  float n2 = normal_distribution(d1 - 0.3 * root);
  float discounted = x * exp(-0.02 * t);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0 - n2) - s * (1.0 - n1);
}
