// Distances in a graph, by one block: level by level, a frontier in shared memory, each vertex claimed with an atomic.
extern "C" __global__ void breadth_first_search(const int* starts, const int* edges, int* distance, int* levels,
                                                int n) {
  __shared__ int frontier[2][256], size[2];
  for (int v = threadIdx.x; v < n; v += blockDim.x) distance[v] = v == 0 ? 0 : -1;
  if (threadIdx.x == 0) frontier[0][0] = 0, size[0] = 1, size[1] = 0;
  __syncthreads();
  int level = 0;
  while (size[level & 1] > 0) {
    const int now = level & 1, next = now ^ 1;
    for (int k = threadIdx.x; k < size[now]; k += blockDim.x) {
      const int v = frontier[now][k];
      for (int e = starts[v]; e < starts[v + 1]; ++e)
        if (atomicCAS(&distance[edges[e]], -1, level + 1) == -1) frontier[next][atomicAdd(&size[next], 1)] = edges[e];
    }
    __syncthreads();
    if (threadIdx.x == 0) size[now] = 0;
    ++level;
    __syncthreads();
  }
  if (threadIdx.x == 0) *levels = level;
}
