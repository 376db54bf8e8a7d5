// An atomic addition to a word that starts in the middle of another.
extern "C" __global__ void count(unsigned char* counters) {
  atomicAdd(reinterpret_cast<unsigned*>(counters + 2), 1u);  // BUG: 2 bytes off
}
