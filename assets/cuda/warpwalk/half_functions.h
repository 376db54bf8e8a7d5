// The types and functions of one 16-bit format. cuda_fp16.h and cuda_bf16.h include this file with
//   WARPWALK_H, WARPWALK_H2   the type and its pair
//   WARPWALK_BITS             its arithmetic (half_bits.h)
// No include guard: it is read once for each format.

struct __attribute__((aligned(2))) WARPWALK_H {
  unsigned short __x;
  using Bits = warpwalk_cuda::WARPWALK_BITS;
  WARPWALK_H() = default;
  WARPWALK_MEMBER_BOTH WARPWALK_H(float v) : __x(Bits::from_float<warpwalk_cuda::Rounding::nearest>(v)) {}
  WARPWALK_MEMBER_BOTH WARPWALK_H(double v) : WARPWALK_H(static_cast<float>(v)) {}
  WARPWALK_MEMBER_BOTH WARPWALK_H(int v) : WARPWALK_H(static_cast<float>(v)) {}
  WARPWALK_MEMBER_BOTH WARPWALK_H(unsigned int v) : WARPWALK_H(static_cast<float>(v)) {}
  WARPWALK_MEMBER_BOTH WARPWALK_H(long long v) : WARPWALK_H(static_cast<float>(v)) {}
  WARPWALK_MEMBER_BOTH WARPWALK_H(unsigned long long v) : WARPWALK_H(static_cast<float>(v)) {}
  WARPWALK_MEMBER_BOTH WARPWALK_H(long v) : WARPWALK_H(static_cast<float>(v)) {}
  WARPWALK_MEMBER_BOTH WARPWALK_H(unsigned long v) : WARPWALK_H(static_cast<float>(v)) {}
  WARPWALK_MEMBER_BOTH WARPWALK_H(short v) : WARPWALK_H(static_cast<float>(v)) {}
  WARPWALK_MEMBER_BOTH WARPWALK_H(unsigned short v) : WARPWALK_H(static_cast<float>(v)) {}
  WARPWALK_MEMBER_BOTH operator float() const { return Bits::to_float(__x); }
  WARPWALK_MEMBER_BOTH explicit operator double() const { return static_cast<float>(*this); }
  WARPWALK_MEMBER_BOTH explicit operator int() const { return static_cast<int>(static_cast<float>(*this)); }
  WARPWALK_MEMBER_BOTH explicit operator unsigned int() const {
    return static_cast<unsigned int>(static_cast<float>(*this));
  }
  WARPWALK_MEMBER_BOTH explicit operator short() const { return static_cast<short>(static_cast<float>(*this)); }
  WARPWALK_MEMBER_BOTH explicit operator long long() const { return static_cast<long long>(static_cast<float>(*this)); }
  WARPWALK_MEMBER_BOTH bool is_nan() const { return static_cast<float>(*this) != static_cast<float>(*this); }
  WARPWALK_MEMBER_BOTH explicit operator bool() const { return (__x & 0x7fff) != 0; }
  WARPWALK_MEMBER_BOTH static WARPWALK_H of(unsigned short bits) {
    WARPWALK_H h;
    h.__x = bits;
    return h;
  }
};
struct __attribute__((aligned(4))) WARPWALK_H2 {
  WARPWALK_H x, y;
  WARPWALK_H2() = default;
  WARPWALK_MEMBER_BOTH WARPWALK_H2(WARPWALK_H x, WARPWALK_H y) : x(x), y(y) {}
  WARPWALK_MEMBER_BOTH unsigned int bits() const { return x.__x | static_cast<unsigned int>(y.__x) << 16; }
  WARPWALK_MEMBER_BOTH static WARPWALK_H2 of(unsigned int bits) {
    return {WARPWALK_H::of(static_cast<unsigned short>(bits)), WARPWALK_H::of(static_cast<unsigned short>(bits >> 16))};
  }
};

// Host code computes in float, device code with the format's own instructions.
#ifdef __CUDA_ARCH__
#define WARPWALK_OPERATOR(SIGN, FUNCTION)                                               \
  WARPWALK_BOTH WARPWALK_H operator SIGN(WARPWALK_H a, WARPWALK_H b) {                  \
    return WARPWALK_H::of(warpwalk_cuda::WARPWALK_BITS::FUNCTION(a.__x, b.__x));        \
  }                                                                                     \
  WARPWALK_BOTH WARPWALK_H2 operator SIGN(WARPWALK_H2 a, WARPWALK_H2 b) {               \
    return WARPWALK_H2::of(warpwalk_cuda::WARPWALK_BITS::FUNCTION(a.bits(), b.bits())); \
  }
#else
#define WARPWALK_OPERATOR(SIGN, FUNCTION)                              \
  WARPWALK_BOTH WARPWALK_H operator SIGN(WARPWALK_H a, WARPWALK_H b) { \
    return static_cast<float>(a) SIGN static_cast<float>(b);           \
  }                                                                    \
  WARPWALK_BOTH WARPWALK_H2 operator SIGN(WARPWALK_H2 a, WARPWALK_H2 b) { return {a.x SIGN b.x, a.y SIGN b.y}; }
#endif
WARPWALK_OPERATOR(+, add)
WARPWALK_OPERATOR(-, sub) WARPWALK_OPERATOR(*, mul)
#undef WARPWALK_OPERATOR
    WARPWALK_BOTH WARPWALK_H
    operator/(WARPWALK_H a, WARPWALK_H b) {
  return static_cast<float>(a) / static_cast<float>(b);
}
WARPWALK_BOTH WARPWALK_H2 operator/(WARPWALK_H2 a, WARPWALK_H2 b) { return {a.x / b.x, a.y / b.y}; }
WARPWALK_BOTH WARPWALK_H operator-(WARPWALK_H a) { return WARPWALK_H::of(a.__x ^ 0x8000); }
WARPWALK_BOTH WARPWALK_H operator+(WARPWALK_H a) { return a; }
WARPWALK_BOTH WARPWALK_H2 operator-(WARPWALK_H2 a) { return {-a.x, -a.y}; }
#define WARPWALK_ASSIGN(SIGN)                                                                      \
  WARPWALK_BOTH WARPWALK_H& operator SIGN##=(WARPWALK_H& a, WARPWALK_H b) { return a = a SIGN b; } \
  WARPWALK_BOTH WARPWALK_H2& operator SIGN##=(WARPWALK_H2& a, WARPWALK_H2 b) { return a = a SIGN b; }
WARPWALK_ASSIGN(+)
WARPWALK_ASSIGN(-) WARPWALK_ASSIGN(*) WARPWALK_ASSIGN(/)
#undef WARPWALK_ASSIGN
#define WARPWALK_COMPARE(SIGN, NAME, NAME2)                                                                   \
  WARPWALK_BOTH bool operator SIGN(WARPWALK_H a, WARPWALK_H b) {                                              \
    return static_cast<float>(a) SIGN static_cast<float>(b);                                                  \
  }                                                                                                           \
  WARPWALK_BOTH bool operator SIGN(WARPWALK_H2 a, WARPWALK_H2 b) { return (a.x SIGN b.x) && (a.y SIGN b.y); } \
  WARPWALK_DEVICE bool NAME(WARPWALK_H a, WARPWALK_H b) { return a SIGN b && !a.is_nan() && !b.is_nan(); }    \
  WARPWALK_DEVICE bool NAME##u(WARPWALK_H a, WARPWALK_H b) { return a SIGN b || a.is_nan() || b.is_nan(); }   \
  WARPWALK_DEVICE WARPWALK_H2 NAME##2(WARPWALK_H2 a, WARPWALK_H2 b) {                                         \
    return {NAME(a.x, b.x) ? 1.0f : 0.0f, NAME(a.y, b.y) ? 1.0f : 0.0f};                                      \
  }                                                                                                           \
  WARPWALK_DEVICE WARPWALK_H2 NAME##u2(WARPWALK_H2 a, WARPWALK_H2 b) {                                        \
    return {NAME##u(a.x, b.x) ? 1.0f : 0.0f, NAME##u(a.y, b.y) ? 1.0f : 0.0f};                                \
  }                                                                                                           \
  WARPWALK_DEVICE bool NAME2##2(WARPWALK_H2 a, WARPWALK_H2 b) { return NAME(a.x, b.x) && NAME(a.y, b.y); }    \
  WARPWALK_DEVICE bool NAME2##u2(WARPWALK_H2 a, WARPWALK_H2 b) { return NAME##u(a.x, b.x) && NAME##u(a.y, b.y); }
    WARPWALK_COMPARE(==, __heq, __hbeq) WARPWALK_COMPARE(<, __hlt, __hblt) WARPWALK_COMPARE(<=, __hle, __hble)
        WARPWALK_COMPARE(>, __hgt, __hbgt) WARPWALK_COMPARE(>=, __hge, __hbge) WARPWALK_COMPARE(!=, __hne, __hbne)
#undef WARPWALK_COMPARE

#define WARPWALK_DO_1(NAME, FUNCTION)                                         \
  WARPWALK_DEVICE WARPWALK_H NAME(WARPWALK_H a) {                             \
    return WARPWALK_H::of(warpwalk_cuda::WARPWALK_BITS::FUNCTION(a.__x));     \
  }                                                                           \
  WARPWALK_DEVICE WARPWALK_H2 NAME##2(WARPWALK_H2 a) {                        \
    return WARPWALK_H2::of(warpwalk_cuda::WARPWALK_BITS::FUNCTION(a.bits())); \
  }
#define WARPWALK_DO_2(NAME, NAME2, FUNCTION)                                            \
  WARPWALK_DEVICE WARPWALK_H NAME(WARPWALK_H a, WARPWALK_H b) {                         \
    return WARPWALK_H::of(warpwalk_cuda::WARPWALK_BITS::FUNCTION(a.__x, b.__x));        \
  }                                                                                     \
  WARPWALK_DEVICE WARPWALK_H2 NAME2(WARPWALK_H2 a, WARPWALK_H2 b) {                     \
    return WARPWALK_H2::of(warpwalk_cuda::WARPWALK_BITS::FUNCTION(a.bits(), b.bits())); \
  }
#define WARPWALK_DO_3(NAME, NAME2, FUNCTION)                                                      \
  WARPWALK_DEVICE WARPWALK_H NAME(WARPWALK_H a, WARPWALK_H b, WARPWALK_H c) {                     \
    return WARPWALK_H::of(warpwalk_cuda::WARPWALK_BITS::FUNCTION(a.__x, b.__x, c.__x));           \
  }                                                                                               \
  WARPWALK_DEVICE WARPWALK_H2 NAME2(WARPWALK_H2 a, WARPWALK_H2 b, WARPWALK_H2 c) {                \
    return WARPWALK_H2::of(warpwalk_cuda::WARPWALK_BITS::FUNCTION(a.bits(), b.bits(), c.bits())); \
  }
            WARPWALK_DO_1(__hneg, negative) WARPWALK_DO_1(__habs, magnitude) WARPWALK_DO_2(__hadd, __hadd2, add)
                WARPWALK_DO_2(__hsub, __hsub2, sub) WARPWALK_DO_2(__hmul, __hmul2, mul) WARPWALK_DO_2(__hadd_rn,
                                                                                                      __hadd2_rn, add)
                    WARPWALK_DO_2(__hsub_rn, __hsub2_rn, sub) WARPWALK_DO_2(__hmul_rn, __hmul2_rn, mul)
                        WARPWALK_DO_2(__hadd_sat, __hadd2_sat, add_sat) WARPWALK_DO_2(__hsub_sat, __hsub2_sat, sub_sat)
                            WARPWALK_DO_2(__hmul_sat, __hmul2_sat, mul_sat) WARPWALK_DO_2(__hmin, __hmin2, least)
                                WARPWALK_DO_2(__hmax, __hmax2, most) WARPWALK_DO_2(__hmin_nan, __hmin2_nan, least_nan)
                                    WARPWALK_DO_2(__hmax_nan, __hmax2_nan, most_nan) WARPWALK_DO_3(__hfma, __hfma2, fma)
                                        WARPWALK_DO_3(__hfma_sat, __hfma2_sat, fma_sat)
                                            WARPWALK_DO_3(__hfma_relu, __hfma2_relu, fma_relu)
#undef WARPWALK_DO_1
#undef WARPWALK_DO_2
#undef WARPWALK_DO_3
                                                WARPWALK_DEVICE WARPWALK_H __hdiv(WARPWALK_H a, WARPWALK_H b) {
  return a / b;
}
WARPWALK_DEVICE WARPWALK_H2 __h2div(WARPWALK_H2 a, WARPWALK_H2 b) { return a / b; }
WARPWALK_DEVICE bool __hisnan(WARPWALK_H a) { return a.is_nan(); }
WARPWALK_DEVICE WARPWALK_H2 __hisnan2(WARPWALK_H2 a) {
  return {__hisnan(a.x) ? 1.0f : 0.0f, __hisnan(a.y) ? 1.0f : 0.0f};
}
WARPWALK_DEVICE int __hisinf(WARPWALK_H a) {
  const float v = a;
  return __warpwalk_isinf(v) ? (v > 0 ? 1 : -1) : 0;
}
WARPWALK_DEVICE WARPWALK_H2 __hcmadd(WARPWALK_H2 a, WARPWALK_H2 b, WARPWALK_H2 c) {  // complex a * b + c
  return {__hfma(a.x, b.x, __hfma(-a.y, b.y, c.x)), __hfma(a.x, b.y, __hfma(a.y, b.x, c.y))};
}

// Functions computed in float and rounded.
#define WARPWALK_FUNCTION(NAME, EXPRESSION)          \
  WARPWALK_DEVICE WARPWALK_H h##NAME(WARPWALK_H a) { \
    const float v = a;                               \
    return EXPRESSION;                               \
  }                                                  \
  WARPWALK_DEVICE WARPWALK_H2 h2##NAME(WARPWALK_H2 a) { return {h##NAME(a.x), h##NAME(a.y)}; }
WARPWALK_FUNCTION(exp, __warpwalk_ex2(v * 1.44269502f))
WARPWALK_FUNCTION(exp2, __warpwalk_ex2(v)) WARPWALK_FUNCTION(exp10, exp10f(v)) WARPWALK_FUNCTION(log, __logf(v))
    WARPWALK_FUNCTION(log2, __log2f(v)) WARPWALK_FUNCTION(log10, __log10f(v)) WARPWALK_FUNCTION(sqrt, sqrtf(v))
        WARPWALK_FUNCTION(rsqrt, rsqrtf(v)) WARPWALK_FUNCTION(rcp, 1.0f / v) WARPWALK_FUNCTION(sin, sinf(v))
            WARPWALK_FUNCTION(cos, cosf(v)) WARPWALK_FUNCTION(tanh, tanhf(v))
                WARPWALK_FUNCTION(tanh_approx, __warpwalk_tanh(v)) WARPWALK_FUNCTION(floor, floorf(v))
                    WARPWALK_FUNCTION(ceil, ceilf(v)) WARPWALK_FUNCTION(trunc, truncf(v))
                        WARPWALK_FUNCTION(rint, rintf(v))
#undef WARPWALK_FUNCTION

#define WARPWALK_EXCHANGE(NAME, T)                                                                      \
  WARPWALK_DEVICE WARPWALK_H NAME##_sync(unsigned int mask, WARPWALK_H v, T lane, int width = 32) {     \
    return WARPWALK_H::of(                                                                              \
        static_cast<unsigned short>(NAME##_sync(mask, static_cast<unsigned int>(v.__x), lane, width))); \
  }                                                                                                     \
  WARPWALK_DEVICE WARPWALK_H2 NAME##_sync(unsigned int mask, WARPWALK_H2 v, T lane, int width = 32) {   \
    return WARPWALK_H2::of(NAME##_sync(mask, v.bits(), lane, width));                                   \
  }
                            WARPWALK_EXCHANGE(__shfl, int) WARPWALK_EXCHANGE(__shfl_up, unsigned int)
                                WARPWALK_EXCHANGE(__shfl_down, unsigned int) WARPWALK_EXCHANGE(__shfl_xor, int)
#undef WARPWALK_EXCHANGE

#define WARPWALK_ACCESS(NAME)                                                                    \
  WARPWALK_DEVICE WARPWALK_H NAME(const WARPWALK_H* p) { return WARPWALK_H::of(NAME(&p->__x)); } \
  WARPWALK_DEVICE WARPWALK_H2 NAME(const WARPWALK_H2* p) {                                       \
    return WARPWALK_H2::of(NAME(reinterpret_cast<const unsigned int*>(p)));                      \
  }
                                    WARPWALK_ACCESS(__ldg) WARPWALK_ACCESS(__ldca) WARPWALK_ACCESS(__ldcg)
                                        WARPWALK_ACCESS(__ldcs) WARPWALK_ACCESS(__ldlu) WARPWALK_ACCESS(__ldcv)
#undef WARPWALK_ACCESS
