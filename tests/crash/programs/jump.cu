// The pointer to a function is a number.
#include "cases.h"

using Operation = float (*)(float);

__global__ void apply(Operation operation, float* x) { x[threadIdx.x] = operation(x[threadIdx.x]); }

void launch_jump() { apply<<<1, 32>>>(reinterpret_cast<Operation>(0x123450), on_gpu(std::vector<float>(32, 1))); }
