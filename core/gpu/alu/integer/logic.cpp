#include "core/gpu/alu/per_lane.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Action;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

template <class T>
T conjunction(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T disjunction(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T exclusive(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
T complement(T a) {
  return static_cast<T>(~a);
}
/// cnot: 1 if a is 0, else 0.
template <class T>
T logical_not(T a) {
  return a == 0 ? T{1} : T{0};
}

template <class T>
Found find_logic_of(const Request& request) {
  if (!request.has_only({})) return request.unsupported();
  switch (request.instruction.opcode) {
    case Opcode::and_: return request.lanewise<&conjunction<T>>();
    case Opcode::or_: return request.lanewise<&disjunction<T>>();
    case Opcode::xor_: return request.lanewise<&exclusive<T>>();
    case Opcode::not_: return request.lanewise<&complement<T>>();
    default: return request.lanewise<&logical_not<T>>();
  }
}

/// All ones if bit `index` of the table is set, else 0.
u32 entry(u64 table, int index) { return 0U - static_cast<u32>((table >> index) & 1); }

/// Bitwise `where ? yes : no`, with differ = yes ^ no.
u32 choose(u32 where, u32 no, u32 differ) { return no ^ (where & differ); }

/// lop3: bit i of the table is the result for the input bits abc = i (a is the highest bit).
u32 three_inputs(u64 table, u32 a, u32 b, u32 c) {
  const u32 at00 = choose(c, entry(table, 0), entry(table, 0) ^ entry(table, 1));
  const u32 at01 = choose(c, entry(table, 2), entry(table, 2) ^ entry(table, 3));
  const u32 at10 = choose(c, entry(table, 4), entry(table, 4) ^ entry(table, 5));
  const u32 at11 = choose(c, entry(table, 6), entry(table, 6) ^ entry(table, 7));
  const u32 at0 = choose(b, at00, at00 ^ at01);
  const u32 at1 = choose(b, at10, at10 ^ at11);
  return choose(a, at0, at0 ^ at1);
}

/// lop3.or and lop3.and: also p = (d != 0) OP q. Bit 8 of the immediate selects .and.
struct ThreeInputsAndPredicate {
  [[gnu::always_inline]] static void run(AluCall& call) {
    const void* const a = call.a;
    const void* const b = call.b;
    const void* const c = call.c;
    void* const d = call.d;
    const u64 table = call.immediate;
    std::array<u8, lanes_per_warp> flags;
    each_lane([&](int lane) {
      const u32 value = three_inputs(table, load<u32>(a, lane), load<u32>(b, lane), load<u32>(c, lane));
      if (d != nullptr) store<u32>(d, lane, value);
      flags[static_cast<std::size_t>(lane)] = value != 0;
    });
    const u32 mask = mask_of(flags);
    call.predicate_out = ((table >> 8) & 1) != 0 ? mask & call.predicate_in : mask | call.predicate_in;
  }
};

Found find_lop3(const Request& request) {
  const auto& operands = request.instruction.operands;
  if (request.type() != Type::b32 || !request.has_only({}) || operands.size() < 5) return request.unsupported();
  const u64 table = operands[4].bits & 0xffU;
  if (request.instruction.action == Action::none) return request.formed<&three_inputs>(table);
  const bool conjunctive = request.instruction.action == Action::and_;
  if (!conjunctive && request.instruction.action != Action::or_) return request.unsupported();
  Alu alu = Formed<&three_inputs>::alu(request.isa, table | (conjunctive ? 0x100U : 0U));
  alu.run = Compiled<ThreeInputsAndPredicate>::choose(request.isa);
  alu.reads_predicate = alu.writes_predicate = true;
  return alu;
}

}  // namespace

Found find_logic(const Request& request) {
  if (request.instruction.opcode == Opcode::lop3) return find_lop3(request);
  switch (request.type()) {
    case Type::b16: return find_logic_of<u16>(request);
    case Type::b32: return find_logic_of<u32>(request);
    case Type::b64: return find_logic_of<u64>(request);
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
