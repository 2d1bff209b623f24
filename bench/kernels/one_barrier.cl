kernel void one_barrier(global const float* in, global float* out) {
  local float tile[256];
  uint lane = get_local_id(0);
  tile[lane] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[255 - lane];
}
