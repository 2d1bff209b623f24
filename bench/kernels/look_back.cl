kernel void look_back_clear(global const uint* in, global uint* out, global uint* states) {
  states[get_global_id(0)] = 0;
}

kernel void look_back(global const uint* in, global uint* out, global uint* states) {
  local uint tile[256];
  local uint before;
  uint lane = get_local_id(0);
  tile[lane] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = 1; d < 256; d <<= 1) {
    uint other = lane >= d ? tile[lane - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[lane] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 255) {
    uint block = get_group_id(0);
    uint sum = tile[255];
    uint total = 0;
    atomic_xchg(&states[block], 1u << 30 | sum);
    while (block > 0) {
      uint state = atomic_or(&states[block - 1], 0);
      total += state & ((1u << 30) - 1);
      if (state >= 2u << 30) break;
      block -= state >> 30;
    }
    atomic_xchg(&states[get_group_id(0)], 2u << 30 | (total + sum));
    before = total;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = before + tile[lane];
}
