kernel void tone_map(global const float4* in, global uint* out, uint width) {
  uint i = get_global_id(1) * width + get_global_id(0);
  float3 x = in[i].xyz * 1.5f;
  float3 curve = x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);
  float3 level = pow(clamp(curve, 0.f, 1.f), (float3)(1 / 2.2f));
  uint3 bits = convert_uint3(level * 255.f + 0.5f);
  out[i] = bits.x | bits.y << 8 | bits.z << 16 | 0xFF000000u;
}
