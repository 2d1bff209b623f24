kernel void reduction(global const float* in, global float* sums) {
  local float tile[256];
  uint lane = get_local_id(0);
  tile[lane] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = 128; d > 0; d >>= 1) {
    if (lane < d) tile[lane] += tile[lane + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) sums[get_group_id(0)] = tile[0];
}
