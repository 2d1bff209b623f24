kernel void private_arrays(global uint* out) {
  local uint told[64];
  uint array[18432];
  uint lane = get_local_id(0);
  for (uint i = 0; i < 18432; ++i) array[i] = i * 1664525u ^ lane * 22695477u;
  told[lane] = array[get_group_id(0) % 1024];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = told[(lane + 1) % 64];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < 18432; ++i) sum = sum * 3 + array[i];
  out[get_global_id(0)] = sum;
}
