// Issue interval and latency by instruction. The operations are written in PTX; a name gives the machine instructions
// that ptxas makes of one.
#include "bench.h"

namespace {

constexpr int chains = 8;
constexpr int unroll = 8;
constexpr int rounds = 32;

__device__ void seed_value(float& r, unsigned seed) { r = __uint_as_float(0x3f800000u + (seed & 255)); }
__device__ void seed_value(unsigned& r, unsigned seed) { r = seed; }
__device__ void seed_value(double& r, unsigned seed) { r = 1.0 + seed * 1e-9; }
__device__ void seed_value(unsigned long long& r, unsigned seed) { r = seed; }

/// Operands of a tensor-core instruction.
struct Tile {
  unsigned d[4];
};
__device__ void seed_value(Tile& r, unsigned seed) {
  for (unsigned& d : r.d) d = seed & 1;
}
struct TileDouble {
  double d[2];
};
__device__ void seed_value(TileDouble& r, unsigned seed) {
  for (double& d : r.d) d = seed & 1;
}
/// One value of each kind, for mixes.
struct Mixed {
  float f;
  unsigned u;
};
__device__ void seed_value(Mixed& r, unsigned seed) {
  seed_value(r.f, seed);
  r.u = seed;
}
template <class T>
__device__ unsigned bits(const T& r) {
  unsigned sum = 0;
  const unsigned* words = reinterpret_cast<const unsigned*>(&r);
  for (unsigned i = 0; i < sizeof(T) / 4; ++i) sum ^= words[i];
  return sum;
}

template <class T, int N, class Op>
__global__ void __launch_bounds__(1024) repeat(Op op, unsigned a, unsigned b, Span* spans, unsigned* sink) {
  __shared__ unsigned zeros[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) zeros[i] = 0;
  T r[N];
  for (int i = 0; i < N; ++i) seed_value(r[i], a * (threadIdx.x + i));
  __syncthreads();
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(zeros)) + (threadIdx.x & 31) * 16;
  long long start = 0;
  // The first round fetches the instructions.
#pragma unroll 1
  for (int k = -1; k < rounds; ++k) {
    if (k == 0) {
      __syncthreads();
      start = now();
    }
#pragma unroll
    for (int j = 0; j < unroll * chains / N; ++j)
#pragma unroll
      for (int i = 0; i < N; ++i) op(r[i], a, b, shared);
  }
  const long long end = now();
  unsigned sum = 0;
  for (int i = 0; i < N; ++i) sum ^= bits(r[i]);
  if (sum == 0x12345678) *sink = sum;
  if ((threadIdx.x & 31) == 0) spans[threadIdx.x / 32] = {start, end};
}

struct Bench {
  DeviceArray<Span> spans{32};
  DeviceArray<unsigned> sink{1};

  template <class T, class Op>
  void measure(const char* name, Op op) {
    // a = 0: chains that must not change their value (addresses) keep it.
    auto per_operation = [&](auto kernel, int warps) {
      std::vector<double> cycles;
      for (int run = 0; run < 3; ++run) {
        kernel<<<1, warps * 32>>>(op, 0u, 0u, spans.get(), sink.get());
        check(cudaGetLastError());
        cycles.push_back(double(cycles_of(spans.read(warps))) / (rounds * unroll * chains));
      }
      return *std::min_element(cycles.begin(), cycles.end());
    };
    row("latency", name, "warps=1 chains=1", per_operation(repeat<T, 1, Op>, 1), "cycles");
    for (int per_partition : {1, 2, 4, 8})
      row("interval", name, named("warps_per_partition", per_partition),
          per_operation(repeat<T, chains, Op>, per_partition * 4) / per_partition, "cycles");
    row("interval", name, "one_warp chains=8", per_operation(repeat<T, chains, Op>, 1), "cycles");
    std::fflush(stdout);
  }
};

__constant__ unsigned table[1024];

void floats(Bench& b) {
  b.measure<float>("FFMA", [] __device__(float& r, unsigned x, unsigned y, unsigned) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(r) : "f"(__uint_as_float(x)), "f"(__uint_as_float(y)));
  });
  b.measure<float>("FADD", [] __device__(float& r, unsigned x, unsigned, unsigned) {
    asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(r) : "f"(__uint_as_float(x)));
  });
  b.measure<float>("FMUL", [] __device__(float& r, unsigned x, unsigned, unsigned) {
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(r) : "f"(__uint_as_float(x)));
  });
  b.measure<float>("FMNMX", [] __device__(float& r, unsigned x, unsigned y, unsigned) {
    asm volatile("{.reg .f32 t; min.f32 t, %0, %1; max.f32 %0, t, %2;}"
                 : "+f"(r)
                 : "f"(__uint_as_float(x)), "f"(__uint_as_float(y)));
  });
  b.measure<double>("DFMA", [] __device__(double& r, unsigned x, unsigned y, unsigned) {
    asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(r) : "d"(__hiloint2double(x, x)), "d"(__hiloint2double(y, y)));
  });
  b.measure<double>("DADD", [] __device__(double& r, unsigned x, unsigned, unsigned) {
    asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(r) : "d"(__hiloint2double(x, x)));
  });
  b.measure<double>("DMUL", [] __device__(double& r, unsigned x, unsigned, unsigned) {
    asm volatile("mul.rn.f64 %0, %0, %1;" : "+d"(r) : "d"(__hiloint2double(x, x)));
  });
  b.measure<unsigned>("HFMA2", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned) {
    asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(r) : "r"(x), "r"(y));
  });
  b.measure<unsigned>("HADD2", [] __device__(unsigned& r, unsigned x, unsigned, unsigned) {
    asm volatile("add.rn.f16x2 %0, %0, %1;" : "+r"(r) : "r"(x));
  });
  b.measure<unsigned>("FSETP_chain", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned) {
    asm volatile("{.reg .pred p; .reg .f32 f, g; mov.b32 f, %0; mov.b32 g, %1; setp.lt.f32 p, f, g; @p mov.u32 %0, %2;}"
                 : "+r"(r)
                 : "r"(x), "r"(y));
  });
  b.measure<float>("MUFU.EX2", [] __device__(float& r, unsigned, unsigned, unsigned) {
    asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(r));
  });
  b.measure<float>("MUFU.LG2", [] __device__(float& r, unsigned, unsigned, unsigned) {
    asm volatile("lg2.approx.ftz.f32 %0, %0;" : "+f"(r));
  });
  b.measure<float>("MUFU.RCP+FADD", [] __device__(float& r, unsigned x, unsigned, unsigned) {
    asm volatile("rcp.approx.ftz.f32 %0, %0; add.rn.f32 %0, %0, %1;" : "+f"(r) : "f"(__uint_as_float(x)));
  });
  b.measure<float>("MUFU.RSQ", [] __device__(float& r, unsigned, unsigned, unsigned) {
    asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(r));
  });
  b.measure<float>("MUFU.SIN+FMUL", [] __device__(float& r, unsigned, unsigned, unsigned) {
    asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(r));
  });
  b.measure<float>("MUFU.TANH", [] __device__(float& r, unsigned, unsigned, unsigned) {
    asm volatile("tanh.approx.f32 %0, %0;" : "+f"(r));
  });
}

void conversions(Bench& b) {
  b.measure<unsigned>("F2I", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    asm volatile("{.reg .f32 f; mov.b32 f, %0; cvt.rzi.s32.f32 %0, f;}" : "+r"(r));
  });
  b.measure<unsigned>("I2F", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    asm volatile("{.reg .f32 f; cvt.rn.f32.s32 f, %0; mov.b32 %0, f;}" : "+r"(r));
  });
  b.measure<float>("FRND", [] __device__(float& r, unsigned, unsigned, unsigned) {
    asm volatile("cvt.rmi.f32.f32 %0, %0;" : "+f"(r));
  });
  b.measure<float>("F2F.F64+F2F.F32", [] __device__(float& r, unsigned, unsigned, unsigned) {
    asm volatile("{.reg .f64 d; cvt.f64.f32 d, %0; cvt.rn.f32.f64 %0, d;}" : "+f"(r));
  });
  b.measure<float>("F2FP+HADD2.F32", [] __device__(float& r, unsigned, unsigned, unsigned) {
    asm volatile("{.reg .b16 h; cvt.rn.f16.f32 h, %0; cvt.f32.f16 %0, h;}" : "+f"(r));
  });
}

void integers(Bench& b) {
  b.measure<unsigned>("IADD3", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned) {
    asm volatile("{.reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2;}" : "+r"(r) : "r"(x), "r"(y));
  });
  b.measure<unsigned>("IMAD", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned) {
    asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(r) : "r"(x), "r"(y));
  });
  b.measure<unsigned long long>("IMAD.WIDE", [] __device__(unsigned long long& r, unsigned x, unsigned, unsigned) {
    asm volatile("{.reg .u32 l, h; mov.b64 {l, h}, %0; mad.wide.u32 %0, l, %1, %0;}" : "+l"(r) : "r"(x));
  });
  b.measure<unsigned>("IMAD.HI", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned) {
    asm volatile("mad.hi.u32 %0, %0, %1, %2;" : "+r"(r) : "r"(x), "r"(y));
  });
  b.measure<unsigned>("LOP3", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned z) {
    asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(r) : "r"(x), "r"(z));
    (void)y;
  });
  b.measure<unsigned>("SHF", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned) {
    asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(r) : "r"(x), "r"(y));
  });
  b.measure<unsigned>("LEA", [] __device__(unsigned& r, unsigned x, unsigned, unsigned) {
    asm volatile("{.reg .u32 t; shl.b32 t, %0, 3; add.u32 %0, t, %1;}" : "+r"(r) : "r"(x));
  });
  b.measure<unsigned>("PRMT", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned) {
    asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(r) : "r"(x), "r"(y));
  });
  b.measure<unsigned>("IMNMX", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned) {
    asm volatile("{.reg .s32 t; min.s32 t, %0, %1; max.s32 %0, t, %2;}" : "+r"(r) : "r"(x), "r"(y));
  });
  b.measure<unsigned>("ISETP+SEL", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned) {
    asm volatile("{.reg .pred p; setp.lt.s32 p, %0, %1; selp.b32 %0, %0, %2, p;}" : "+r"(r) : "r"(x), "r"(y));
  });
  b.measure<unsigned>("ISETP_chain_of_8", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned z) {
    asm volatile(
        "{.reg .pred p; setp.lt.s32 p, %0, %1; setp.lt.and.s32 p, %0, %2, p; setp.gt.and.s32 p, %0, %3, p;"
        "setp.ne.and.s32 p, %1, %3, p; setp.lt.or.s32 p, %2, %3, p; setp.gt.and.s32 p, %1, %2, p;"
        "setp.le.or.s32 p, %0, %3, p; setp.ge.and.s32 p, %3, %1, p; @p mov.u32 %0, %2;}"
        : "+r"(r)
        : "r"(x), "r"(y), "r"(z));
  });
  b.measure<unsigned>("POPC", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    asm volatile("popc.b32 %0, %0;" : "+r"(r));
  });
  b.measure<unsigned>("FLO", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    asm volatile("bfind.u32 %0, %0;" : "+r"(r));
  });
  b.measure<unsigned>("BREV", [] __device__(unsigned& r, unsigned x, unsigned, unsigned) {
    asm volatile("brev.b32 %0, %0; add.u32 %0, %0, %1;" : "+r"(r) : "r"(x));
  });
  b.measure<unsigned>("IDP4A", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned) {
    asm volatile("dp4a.u32.u32 %0, %0, %1, %2;" : "+r"(r) : "r"(x), "r"(y));
  });
  b.measure<unsigned>("IABS", [] __device__(unsigned& r, unsigned x, unsigned, unsigned) {
    asm volatile("{abs.s32 %0, %0; xor.b32 %0, %0, %1;}" : "+r"(r) : "r"(x));
  });
}

void warps(Bench& b) {
  b.measure<unsigned>("SHFL", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(r));
  });
  b.measure<unsigned>("VOTE", [] __device__(unsigned& r, unsigned x, unsigned, unsigned) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff;}" : "+r"(r) : "r"(x));
  });
  b.measure<unsigned>("MATCH.ANY", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    asm volatile("match.any.sync.b32 %0, %0, 0xffffffff;" : "+r"(r));
  });
  b.measure<unsigned>("REDUX", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    asm volatile("redux.sync.add.u32 %0, %0, 0xffffffff;" : "+r"(r));
  });
  b.measure<unsigned>("S2R/S2UR", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    unsigned t;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(t));
    r ^= t;
  });
  b.measure<unsigned>("CS2R.32/S2UR+LOP3", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    unsigned t;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t));
    r ^= t;
  });
  b.measure<unsigned>("WARPSYNC", [] __device__(unsigned&, unsigned, unsigned, unsigned) {
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  });
  b.measure<unsigned>("BAR", [] __device__(unsigned&, unsigned, unsigned, unsigned) {
    asm volatile("bar.sync 0;" ::: "memory");
  });
  b.measure<unsigned>("LDC", [] __device__(unsigned& r, unsigned, unsigned, unsigned) { r = table[r & 1023]; });
  b.measure<unsigned>("LDC_divergent", [] __device__(unsigned& r, unsigned, unsigned, unsigned shared) {
    r = table[(r + (shared >> 4)) & 1023];
  });
  // LDC R, c[0x0][0x4]. ptxas moves the load of a variable out of the loop, and takes ULDC unless the value must be in
  // a register, as this operand of PRMT. Not a chain: the loads do not wait for one another.
  b.measure<unsigned>("LDC_fixed+PRMT", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    unsigned t;
    asm volatile("mov.u32 %0, %%ntid.y;" : "=r"(t));
    asm volatile("prmt.b32 %0, %0, %1, %0;" : "+r"(r) : "r"(t));
  });
  // Pairs: units that both go to take the sum of their cycles.
  b.measure<unsigned>("S2R/S2UR+LDC_fixed", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    unsigned t, u;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(u));
    asm volatile("mov.u32 %0, %%ntid.y;" : "=r"(t));
    asm volatile("prmt.b32 %0, %0, %1, %0;" : "+r"(r) : "r"(t));
    r ^= u;
  });
  b.measure<unsigned>("S2R/S2UR+LDC", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    unsigned t;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(t));
    r = table[r & 1023] ^ t;
  });
  b.measure<unsigned>("S2R_tid+SHFL", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    unsigned t;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(t));
    r = __shfl_xor_sync(0xffffffff, r, 1) ^ t;
  });
  b.measure<unsigned>("LDC+SHFL", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    r = __shfl_xor_sync(0xffffffff, table[r & 1023], 1);
  });
  b.measure<unsigned>("LDC+BAR", [] __device__(unsigned& r, unsigned, unsigned, unsigned) {
    r = table[r & 1023];
    asm volatile("bar.sync 0;" ::: "memory");
  });
  b.measure<unsigned>("LDS", [] __device__(unsigned& r, unsigned, unsigned, unsigned shared) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(shared + r));
  });
}

void matrices(Bench& b) {
  b.measure<Tile>("HMMA.16816.F32", [] __device__(Tile & t, unsigned x, unsigned y, unsigned) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%4,%5}, {%4,%5}, {%0,%1,%2,%3};"
        : "+r"(t.d[0]), "+r"(t.d[1]), "+r"(t.d[2]), "+r"(t.d[3])
        : "r"(x), "r"(y));
  });
  b.measure<Tile>("HMMA.16816.F32.BF16", [] __device__(Tile & t, unsigned x, unsigned y, unsigned) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%4,%5}, {%4,%5}, {%0,%1,%2,%3};"
        : "+r"(t.d[0]), "+r"(t.d[1]), "+r"(t.d[2]), "+r"(t.d[3])
        : "r"(x), "r"(y));
  });
  b.measure<Tile>("HMMA.1688.F32", [] __device__(Tile & t, unsigned x, unsigned y, unsigned) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%4}, {%0,%1,%2,%3};"
                 : "+r"(t.d[0]), "+r"(t.d[1]), "+r"(t.d[2]), "+r"(t.d[3])
                 : "r"(x), "r"(y));
  });
  b.measure<Tile>("HMMA.1688.F32.TF32", [] __device__(Tile & t, unsigned x, unsigned y, unsigned) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%4,%5}, {%4,%5}, {%0,%1,%2,%3};"
        : "+r"(t.d[0]), "+r"(t.d[1]), "+r"(t.d[2]), "+r"(t.d[3])
        : "r"(x), "r"(y));
  });
  b.measure<Tile>("HMMA.16816.F16", [] __device__(Tile & t, unsigned x, unsigned y, unsigned) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%2,%3}, {%2,%3}, {%0,%1};"
                 : "+r"(t.d[0]), "+r"(t.d[1])
                 : "r"(x), "r"(y));
  });
  b.measure<Tile>("IMMA.16832.S8", [] __device__(Tile & t, unsigned x, unsigned y, unsigned) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%4,%5}, {%4,%5}, {%0,%1,%2,%3};"
                 : "+r"(t.d[0]), "+r"(t.d[1]), "+r"(t.d[2]), "+r"(t.d[3])
                 : "r"(x), "r"(y));
  });
  b.measure<TileDouble>("DMMA.884", [] __device__(TileDouble & t, unsigned x, unsigned y, unsigned) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(t.d[0]), "+d"(t.d[1])
                 : "d"(__hiloint2double(x, x)), "d"(__hiloint2double(y, y)));
  });
  b.measure<unsigned>("LDSM.x1", [] __device__(unsigned& r, unsigned, unsigned, unsigned shared) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(shared + r));
  });
  b.measure<unsigned>("LDSM.x2", [] __device__(unsigned& r, unsigned, unsigned, unsigned shared) {
    asm volatile("{.reg .b32 t; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,t}, [%1];}" : "=r"(r) : "r"(shared + r));
  });
  b.measure<unsigned>("LDSM.x4", [] __device__(unsigned& r, unsigned, unsigned, unsigned shared) {
    asm volatile("{.reg .b32 t,u,v; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,t,u,v}, [%1];}"
                 : "=r"(r)
                 : "r"(shared + r));
  });
}

__device__ void ffma(float& r, unsigned x, unsigned y) {
  asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(r) : "f"(__uint_as_float(x)), "f"(__uint_as_float(y)));
}
__device__ void imad(unsigned& r, unsigned x, unsigned y) {
  asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(r) : "r"(x), "r"(y));
}
__device__ void iadd3(unsigned& r, unsigned x, unsigned y) {
  asm volatile("{.reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2;}" : "+r"(r) : "r"(x), "r"(y));
}
__device__ void lop3(unsigned& r, unsigned x, unsigned z) {
  asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(r) : "r"(x), "r"(z));
}
__device__ void fmnmx(unsigned& r, unsigned x) {
  asm volatile("{.reg .f32 f, g; mov.b32 f, %0; mov.b32 g, %1; min.f32 f, f, g; mov.b32 %0, f;}" : "+r"(r) : "r"(x));
}
__device__ void ex2(unsigned& r) {
  asm volatile("{.reg .f32 f; mov.b32 f, %0; ex2.approx.ftz.f32 f, f; mov.b32 %0, f;}" : "+r"(r));
}

/// Two operations in turn, on a float and on an integer.
void mixes(Bench& b) {
  b.measure<Mixed>("FFMA+IADD3", [] __device__(Mixed & m, unsigned x, unsigned y, unsigned) {
    ffma(m.f, x, y);
    iadd3(m.u, x, y);
  });
  b.measure<Mixed>("FFMA+IMAD", [] __device__(Mixed & m, unsigned x, unsigned y, unsigned) {
    ffma(m.f, x, y);
    imad(m.u, x, y);
  });
  b.measure<Mixed>("2FFMA+IMAD", [] __device__(Mixed & m, unsigned x, unsigned y, unsigned) {
    ffma(m.f, x, y);
    ffma(m.f, y, x);
    imad(m.u, x, y);
  });
  b.measure<Mixed>("FFMA+LOP3", [] __device__(Mixed & m, unsigned x, unsigned y, unsigned shared) {
    ffma(m.f, x, y);
    lop3(m.u, x, shared);
  });
  b.measure<Mixed>("FFMA+FMNMX", [] __device__(Mixed & m, unsigned x, unsigned y, unsigned) {
    ffma(m.f, x, y);
    fmnmx(m.u, x);
  });
  b.measure<Mixed>("FFMA+MUFU", [] __device__(Mixed & m, unsigned x, unsigned y, unsigned) {
    ffma(m.f, x, y);
    ex2(m.u);
  });
  b.measure<Mixed>("FFMA+IMAD+LOP3", [] __device__(Mixed & m, unsigned x, unsigned y, unsigned shared) {
    ffma(m.f, x, y);
    imad(m.u, x, y);
    lop3(m.u, x, shared);
  });
  b.measure<unsigned>("IMAD+LOP3", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned shared) {
    imad(r, x, y);
    lop3(r, x, shared);
  });
  b.measure<unsigned>("IADD3+LOP3", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned shared) {
    iadd3(r, x, y);
    lop3(r, x, shared);
  });
  b.measure<unsigned>("MUFU+LOP3", [] __device__(unsigned& r, unsigned x, unsigned, unsigned shared) {
    ex2(r);
    lop3(r, x, shared);
  });
  b.measure<unsigned>("HMUL2", [] __device__(unsigned& r, unsigned x, unsigned, unsigned) {
    asm volatile("mul.rn.f16x2 %0, %0, %1;" : "+r"(r) : "r"(x));
  });
  b.measure<unsigned>("HFMA2.BF16", [] __device__(unsigned& r, unsigned x, unsigned y, unsigned) {
    asm volatile("fma.rn.bf16x2 %0, %0, %1, %2;" : "+r"(r) : "r"(x), "r"(y));
  });
}

// A loop whose body is a few additions: what a taken backward branch costs.
template <int N>
__global__ void loop(float* sink, int count, Span* spans) {
  float r[4] = {1, 2, 3, 4};
  const float x = static_cast<float>(count) * 1e-9f;
  for (int pass = 0; pass < 2; ++pass) {
    const long long start = now();
#pragma unroll 1
    for (int i = 0; i < count; ++i)
#pragma unroll
      for (int n = 0; n < N; ++n) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(r[n & 3]) : "f"(x));
    if ((threadIdx.x & 31) == 0) spans[threadIdx.x / 32] = {start, now()};
  }
  if (r[0] + r[1] + r[2] + r[3] == 0.123f) *sink = r[0];
}

template <int N>
void loops(Bench& b) {
  DeviceArray<float> sink(1);
  for (int warps : {1, 4, 8, 16, 32}) {
    loop<N><<<1, warps * 32>>>(sink.get(), 1000, b.spans.get());
    row("loop", "cycles_per_iteration", named("warps", warps) + " " + named("ffma", N),
        cycles_of(b.spans.read(warps)) / 1000.0, "cycles");
  }
}

}  // namespace

int main() {
  Bench bench;
  floats(bench);
  integers(bench);
  conversions(bench);
  matrices(bench);
  warps(bench);
  loops<1>(bench);
  loops<4>(bench);
  loops<8>(bench);
  loops<16>(bench);
  loops<32>(bench);
  mixes(bench);
}
