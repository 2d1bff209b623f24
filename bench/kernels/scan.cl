// x and those of the lanes before it; `tile` has room for the block's numbers.
uint block_scan(local uint* tile, uint x) {
  uint lane = get_local_id(0);
  tile[lane] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = 1; d < 256; d <<= 1) {
    uint other = lane >= d ? tile[lane - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[lane] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return tile[lane];
}

kernel void scan_blocks(global const uint* in, global uint* out, global uint* sums) {
  local uint tile[256];
  uint sum = block_scan(tile, in[get_global_id(0)]);
  out[get_global_id(0)] = sum;
  if (get_local_id(0) == 255) sums[get_group_id(0)] = sum;
}

kernel void scan_sums(global const uint* in, global uint* out, global uint* sums, uint blocks) {
  local uint tile[256];
  local uint before;
  uint lane = get_local_id(0);
  if (lane == 0) before = 0;
  for (uint first = 0; first < blocks; first += 256) {
    uint sum = block_scan(tile, sums[first + lane]) + before;
    sums[first + lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 255) before = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

kernel void scan_add(global const uint* in, global uint* out, global uint* sums) {
  if (get_group_id(0) > 0) out[get_global_id(0)] += sums[get_group_id(0) - 1];
}
