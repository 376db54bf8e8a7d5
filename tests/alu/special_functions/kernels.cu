// The special functions of a GPU for consecutive arguments; see record.cpp.
#define FUNCTION(name, instruction)                                                                     \
  extern "C" __global__ void name(unsigned* out, unsigned start) {                                      \
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                           \
    unsigned y;                                                                                         \
    asm volatile("{.reg .f32 a, b; mov.b32 a, %1; " instruction " b, a; mov.b32 %0, b;}" : "=r"(y) : "r"(start + i)); \
    out[i] = y;                                                                                         \
  }
FUNCTION(rcp, "rcp.approx.ftz.f32")
FUNCTION(rsq, "rsqrt.approx.ftz.f32")
FUNCTION(sqrt_, "sqrt.approx.ftz.f32")
FUNCTION(ex2, "ex2.approx.ftz.f32")
FUNCTION(lg2, "lg2.approx.ftz.f32")
FUNCTION(sin_, "sin.approx.ftz.f32")
FUNCTION(cos_, "cos.approx.ftz.f32")
FUNCTION(tanh_, "tanh.approx.f32")
