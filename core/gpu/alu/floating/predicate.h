#pragma once

#include "core/gpu/alu/floating/floats.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {

/// predicate_out = F(a).
template <auto F>
struct Test;

template <class T, bool (*F)(T)>
struct Test<F> {
  [[gnu::always_inline]] static void run(AluCall& call) {
    const void* const a = call.a;
    std::array<u8, lanes_per_warp> flags;
    each_lane([&](int lane) { flags[static_cast<std::size_t>(lane)] = F(load<T>(a, lane)); });
    call.predicate_out = mask_of(flags);
  }

  static Alu alu(Isa isa) {
    return {.run = Compiled<Test>::choose(isa), .a_bytes = sizeof(T), .writes_predicate = true};
  }
};

template <class T>
inline T magnitude_of(T a) {
  return a < 0 ? -a : a;
}

template <class T>
bool is_nan(T a) {
  return a != a;
}
template <class T>
bool is_number(T a) {
  return a == a;
}
template <class T>
bool is_finite(T a) {
  return magnitude_of(a) <= std::numeric_limits<T>::max();
}
template <class T>
bool is_infinite(T a) {
  return magnitude_of(a) > std::numeric_limits<T>::max();
}
/// Zero counts as normal (observed on an H200).
template <class T>
bool is_normal(T a) {
  return (a == 0 || magnitude_of(a) >= std::numeric_limits<T>::min()) && is_finite(a);
}
template <class T>
bool is_subnormal(T a) {
  return a != 0 && magnitude_of(a) < std::numeric_limits<T>::min();
}

template <class T>
Found find_testp(const Request& request) {
  if (!request.has_only({})) return request.unsupported();
  switch (request.instruction.action) {
    case ptx::Action::finite: return Test<&is_finite<T>>::alu(request.isa);
    case ptx::Action::infinite: return Test<&is_infinite<T>>::alu(request.isa);
    case ptx::Action::number: return Test<&is_number<T>>::alu(request.isa);
    case ptx::Action::notanumber: return Test<&is_nan<T>>::alu(request.isa);
    case ptx::Action::normal: return Test<&is_normal<T>>::alu(request.isa);
    case ptx::Action::subnormal: return Test<&is_subnormal<T>>::alu(request.isa);
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
