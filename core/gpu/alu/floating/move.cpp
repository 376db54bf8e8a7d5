#include "core/gpu/alu/floating/floats.h"
#include "core/gpu/alu/per_lane.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::OperandKind;
using ptx::Type;

template <class T>
T same(T a) {
  return a;
}

/// selp: a if the predicate is true, else b.
template <class T>
struct Select {
  [[gnu::always_inline]] static void run(AluCall& call) {
    const void* const a = call.a;
    const void* const b = call.b;
    void* const d = call.d;
    const u32 mask = call.predicate_in;
    each_lane([&](int lane) { store<T>(d, lane, bit(mask, lane) ? load<T>(a, lane) : load<T>(b, lane)); });
  }
};

/// slct: a if c >= 0, else b. NaN selects b, -0 selects a.
template <class T>
T select_by_s32(T a, T b, s32 c) {
  return c >= 0 ? a : b;
}
template <class T>
T select_by_f32(T a, T b, float c) {
  return c >= 0 ? a : b;
}
template <class T>
T select_by_f32_flushed(T a, T b, float c) {
  return flushed(c) >= 0 ? a : b;
}

template <class T>
Found find_slct(const Request& request) {
  if (request.type(1) == Type::s32 && request.has_only({})) return request.lanewise<&select_by_s32<T>>();
  if (request.type(1) != Type::f32 || !request.has_only({Modifier::ftz})) return request.unsupported();
  return request.has(Modifier::ftz) ? request.lanewise<&select_by_f32_flushed<T>>()
                                    : request.lanewise<&select_by_f32<T>>();
}

template <class T>
Found find_move_of(const Request& request) {
  if (request.instruction.opcode == Opcode::slct) return find_slct<T>(request);
  if (!request.has_only({})) return request.unsupported();
  if (request.instruction.opcode == Opcode::mov) return request.lanewise<&same<T>>();
  constexpr int bytes = sizeof(T);
  return Alu{.run = Compiled<Select<T>>::choose(request.isa),
             .d_bytes = bytes,
             .a_bytes = bytes,
             .b_bytes = bytes,
             .reads_predicate = true};
}

}  // namespace

Found find_move(const Request& request) {
  for (const ptx::Operand& operand : request.instruction.operands)
    if (operand.kind == OperandKind::vector) return request.unsupported();
  if (request.type() == Type::pred) return request.unsupported();
  switch (ptx::bytes_of(request.type())) {
    case 2: return find_move_of<u16>(request);
    case 4: return find_move_of<u32>(request);
    case 8: return find_move_of<u64>(request);
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
