// An atomic addition to a word that straddles two aligned words.
extern "C" __global__ void count(unsigned char* counters) {
  atomicAdd(reinterpret_cast<unsigned*>(counters + 2), 1u);  // BUG: 2 bytes off
}
