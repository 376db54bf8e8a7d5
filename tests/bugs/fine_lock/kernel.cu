// Correct: every lane acquires a lock, adds, and releases it; lanes of one warp wait for each other and make progress.
extern "C" __global__ void lock(int* lock, int* total) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int*)total = *(volatile int*)total + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
