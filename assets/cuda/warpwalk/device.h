// What every file of CUDA C++ has without an #include. The compiler reads it before the file.
#pragma once

#include "atomics.h"
#include "indices.h"
#include "math_overloads.h"
#include "memory.h"
#include "simd.h"
#include "sync.h"
#include "system.h"
#include "vectors.h"
#include "warp.h"

// NVIDIA's compilers have these without a header, too.
#ifndef INFINITY
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#endif
#ifndef alloca
#define alloca(bytes) __builtin_alloca_with_align(bytes, 128)
#endif

// NVRTC has assert() without a header.
#if !defined(assert) && defined(WARPWALK_TYPED)
#ifdef NDEBUG
#define assert(condition) static_cast<void>(0)
#else
#define assert(condition) \
  (static_cast<bool>(condition) ? void(0) : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
#endif
