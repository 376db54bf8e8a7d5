// A null-terminated list, traversed one node too far.
struct Node {
  int value;
  const Node* next;
};
__device__ const Node last = {3, nullptr};
__device__ const Node first = {1, &last};

extern "C" __global__ void walk(int* y, int steps) {
  const Node* node = &first;
  for (int k = 0; k < steps; ++k) node = node->next;
  y[threadIdx.x] = node->value;  // BUG: null after two steps
}
