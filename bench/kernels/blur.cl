constant float weights[5] = {1.f / 16, 4.f / 16, 6.f / 16, 4.f / 16, 1.f / 16};

kernel void blur(global const float* in, global float* out, uint width) {
  uint first = get_global_id(1) * (width + 4) + get_global_id(0);
  float sum = 0.f;
  #pragma unroll
  for (uint dy = 0; dy < 5; ++dy) {
    #pragma unroll
    for (uint dx = 0; dx < 5; ++dx) sum += weights[dy] * weights[dx] * in[first + dy * (width + 4) + dx];
  }
  out[get_global_id(1) * width + get_global_id(0)] = sum;
}
