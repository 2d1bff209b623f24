uint pair_place(uint t, uint j) { return 2 * t - (t & (j - 1)); }

kernel void bitonic_far(global uint* data, uint k, uint j) {
  uint i = pair_place(get_global_id(0), j);
  uint a = data[i];
  uint b = data[i + j];
  if ((a > b) == ((i & k) == 0)) {
    data[i] = b;
    data[i + j] = a;
  }
}

void merge(local uint* tile, uint lane, uint first, uint k, uint j) {
  for (; j > 0; j >>= 1) {
    uint i = pair_place(lane, j);
    uint a = tile[i];
    uint b = tile[i + j];
    if ((a > b) == (((first + i) & k) == 0)) {
      tile[i] = b;
      tile[i + j] = a;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

kernel void bitonic_sort(global uint* data) {
  local uint tile[1024];
  uint lane = get_local_id(0);
  uint first = get_group_id(0) * 1024;
  tile[lane] = data[first + lane];
  tile[lane + 512] = data[first + lane + 512];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 2; k <= 1024; k <<= 1) merge(tile, lane, first, k, k >> 1);
  data[first + lane] = tile[lane];
  data[first + lane + 512] = tile[lane + 512];
}

kernel void bitonic_merge(global uint* data, uint k) {
  local uint tile[1024];
  uint lane = get_local_id(0);
  uint first = get_group_id(0) * 1024;
  tile[lane] = data[first + lane];
  tile[lane + 512] = data[first + lane + 512];
  barrier(CLK_LOCAL_MEM_FENCE);
  merge(tile, lane, first, k, 512);
  data[first + lane] = tile[lane];
  data[first + lane + 512] = tile[lane + 512];
}
