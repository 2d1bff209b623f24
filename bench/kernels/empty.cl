kernel void empty(global uint* unused) {}
