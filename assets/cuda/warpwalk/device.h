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

// NVRTC has assert() without a header.
#if !defined(assert) && defined(WARPWALK_TYPED)
#ifdef NDEBUG
#define assert(condition) static_cast<void>(0)
#else
#define assert(condition) \
  (static_cast<bool>(condition) ? void(0) : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
#endif
