#include "core/gpu/alu/alu.h"

#include "core/gpu/alu/isa.h"
#include "core/gpu/alu/request.h"
#include "core/ptx/opcode.h"

namespace warpwalk::gpu {
namespace {

using alu::Found;
using alu::Request;
using ptx::Opcode;
using ptx::Type;

bool is_half(Type type) {
  return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
}

/// Opcodes that integers and floats share: add, mul, min and others.
Found find_arithmetic(const Request& request, Found (*of_integers)(const Request&)) {
  const Type type = request.type();
  if (is_half(type)) return alu::find_half(request);
  if (type != Type::f32 && type != Type::f64) return of_integers(request);
  if (request.has(ptx::Modifier::approx) || request.has(ptx::Modifier::full)) return alu::find_approximate(request);
  const auto rounding = request.instruction.rounding;
  if (rounding == ptx::Rounding::rz || rounding == ptx::Rounding::rm || rounding == ptx::Rounding::rp)
    return alu::find_directed(request);
  return type == Type::f32 ? alu::find_f32(request) : alu::find_f64(request);
}

Found reject_integers(const Request& request) { return request.unsupported(); }

Found integers(const Request& request) {
  const Type type = request.type();
  return type == Type::u16x2 || type == Type::s16x2 ? alu::find_packed_integer(request) : alu::find_integer(request);
}

Found sums(const Request& request) {
  const Type type = request.type();
  return type == Type::u16x2 || type == Type::s16x2 ? alu::find_packed_integer(request) : alu::find_add(request);
}

Found find(const Request& request) {
  switch (request.instruction.opcode) {
    case Opcode::add:
    case Opcode::sub: return find_arithmetic(request, sums);
    case Opcode::addc:
    case Opcode::subc: return alu::find_add(request);
    case Opcode::mul:
    case Opcode::mad: return find_arithmetic(request, alu::find_multiply);
    case Opcode::madc:
    case Opcode::mul24:
    case Opcode::mad24:
    case Opcode::sad: return alu::find_multiply(request);
    case Opcode::div: return find_arithmetic(request, alu::find_divide);
    case Opcode::rem: return alu::find_divide(request);
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::min:
    case Opcode::max: return find_arithmetic(request, integers);
    case Opcode::fma:
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
    case Opcode::ex2:
    case Opcode::tanh:
    case Opcode::copysign:
    case Opcode::testp: return find_arithmetic(request, reject_integers);
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::bfind:
    case Opcode::brev:
    case Opcode::bfe:
    case Opcode::bfi:
    case Opcode::fns:
    case Opcode::bmsk:
    case Opcode::szext: return alu::find_bits(request);
    case Opcode::dp4a:
    case Opcode::dp2a: return alu::find_dot(request);
    case Opcode::vabsdiff:
    case Opcode::vabsdiff2:
    case Opcode::vabsdiff4:
    case Opcode::vadd:
    case Opcode::vadd2:
    case Opcode::vadd4:
    case Opcode::vavrg2:
    case Opcode::vavrg4:
    case Opcode::vmad:
    case Opcode::vmax:
    case Opcode::vmax2:
    case Opcode::vmax4:
    case Opcode::vmin:
    case Opcode::vmin2:
    case Opcode::vmin4:
    case Opcode::vset:
    case Opcode::vset2:
    case Opcode::vset4:
    case Opcode::vshl:
    case Opcode::vshr:
    case Opcode::vsub:
    case Opcode::vsub2:
    case Opcode::vsub4: return alu::find_video(request);
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::cnot:
    case Opcode::lop3: return alu::find_logic(request);
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::shf:
    case Opcode::prmt: return alu::find_shift(request);
    case Opcode::mov:
    case Opcode::selp:
    case Opcode::slct: return alu::find_move(request);
    case Opcode::set:
    case Opcode::setp: return alu::find_compare(request);
    case Opcode::cvt: return alu::find_convert(request);
    case Opcode::cvt_pack: return alu::find_convert_pack(request);
    default: return request.unsupported();
  }
}

}  // namespace

base::Result<Alu> find_alu(const ptx::Function& function, const ptx::Instruction& instruction, Isa isa) {
  return find(Request{.function = function, .instruction = instruction, .isa = isa});
}

base::Result<Alu> find_alu(const ptx::Function& function, const ptx::Instruction& instruction) {
  return find_alu(function, instruction, host_isa());
}

Isa host_isa() {
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return wide ? Isa::wide : Isa::baseline;
#else
  return Isa::baseline;
#endif
}

}  // namespace warpwalk::gpu
