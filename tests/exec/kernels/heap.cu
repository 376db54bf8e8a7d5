// nvcc: -arch=sm_80
// Kernels that allocate: malloc, free, new, delete, and memory that outlives a launch.
struct alignas(64) Wide {
  int value[16];
};
struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int of) : side(of) {}
  __device__ int area() const override { return side * side; }
};
struct Strip : Shape {
  int length;
  __device__ explicit Strip(int of) : length(of) {}
  __device__ int area() const override { return 2 * length; }
};
struct Node {
  int value;
  Node* next;
};

extern "C" __global__ void sums(const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = x[i] % 8 + 1;
  int* const own = static_cast<int*>(malloc(n * sizeof(int)));
#pragma unroll 1
  for (int k = 0; k < n; ++k) own[k] = x[i] + k;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += own[k];
  y[i] = sum;
  free(own);
}

extern "C" __global__ void shapes(const int* x, int* y) {
  const int v = x[threadIdx.x];
  Shape* shape = nullptr;
  if (v % 3 == 0)
    shape = new Square(v);
  else
    shape = new Strip(v);
  y[threadIdx.x] = shape->area();
  delete shape;
}

// Each thread puts a node before those of earlier launches.
extern "C" __global__ void push(Node** lists, const int* x) {
  Node* const node = static_cast<Node*>(malloc(sizeof(Node)));
  node->value = x[threadIdx.x];
  node->next = lists[threadIdx.x];
  lists[threadIdx.x] = node;
}

extern "C" __global__ void total(Node** lists, int* y) {
  int sum = 0;
#pragma unroll 1
  for (Node* node = lists[threadIdx.x]; node != nullptr;) {
    sum = 10 * sum + node->value;
    Node* const next = node->next;
    free(node);
    node = next;
  }
  y[threadIdx.x] = sum;
}

// How many allocations of x[0] bytes there is room for, and whether those of another size are aligned.
extern "C" __global__ void exhaust(const int* x, int* y) {
#pragma unroll 1
  while (malloc(x[0]) != nullptr) ++y[0];
}

extern "C" __global__ void align(const int* x, int* y) {
  void* const apart = malloc(x[threadIdx.x] % 8 + 1);
  Wide* const wide = new Wide;
  y[threadIdx.x] = static_cast<int>(reinterpret_cast<unsigned long long>(wide) % 64 +
                                    reinterpret_cast<unsigned long long>(apart) % 16);
  delete wide;
  free(apart);
}

extern "C" __global__ void frees_twice(const int* x, int* y) {
  int* const own = static_cast<int*>(malloc(sizeof(int)));
  *own = x[threadIdx.x];
  y[threadIdx.x] = *own;
  free(own);
  if (x[threadIdx.x] == 7) free(own);
}

extern "C" __global__ void reads_freed(const int* x, int* y) {
  int* const own = static_cast<int*>(malloc(sizeof(int)));
  *own = x[threadIdx.x];
  free(own);
  y[threadIdx.x] = *const_cast<volatile int*>(own);
}
