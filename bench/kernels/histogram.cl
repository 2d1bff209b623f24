kernel void histogram(global const uint* in, global uint* bins) {
  local uint counts[256];
  uint lane = get_local_id(0);
  uint first = get_group_id(0) * 65536 + lane;
  counts[lane] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < 256; ++i) atomic_inc(&counts[in[first + i * 256] % 256]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[lane], counts[lane]);
}
