float normal_distribution(float d) {
  float k = 1.f / (1.f + 0.2316419f * fabs(d));
  float tail = 0.39894228f * exp(-0.5f * d * d) *
               (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0.f ? 1.f - tail : tail;
}

kernel void black_scholes(global const float* price, global const float* strike, global const float* years,
                          global float* call, global float* put) {
  size_t i = get_global_id(0);
  float s = price[i];
  float x = strike[i];
  float t = years[i];
  float root = sqrt(t);
  float d1 = (log(s / x) + (0.02f + 0.5f * 0.3f * 0.3f) * t) / (0.3f * root);
  float n1 = normal_distribution(d1);
  float n2 = normal_distribution(d1 - 0.3f * root);
  float discounted = x * exp(-0.02f * t);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.f - n2) - s * (1.f - n1);
}
