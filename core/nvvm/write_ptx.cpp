#include "core/nvvm/write_ptx.h"

#include <algorithm>
#include <vector>

#include "core/nvvm/function_writer.h"

namespace warpwalk::nvvm {
namespace {

// The bytes of a constant; false if it has an address in it.
bool write_bytes(const Operand& value, const TypePtr& type, std::vector<std::uint8_t>& bytes, std::uint64_t at) {
  if (value.kind == Operand::Kind::list) {
    for (std::size_t i = 0; i < value.parts.size(); ++i) {
      const TypePtr& element = type->kind == Type::Kind::structure ? type->elements.at(i) : type->elements.front();
      if (!write_bytes(value.parts[i], element, bytes, at + offset_of(*type, i))) return false;
    }
    return true;
  }
  if (value.kind == Operand::Kind::undefined || value.kind == Operand::Kind::zero) return true;
  if (value.kind != Operand::Kind::number) return false;
  constexpr unsigned byte = 8;
  for (std::uint64_t i = 0; i < size_of(*type) && at + i < bytes.size(); ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value.bits >> (byte * i));
  return true;
}

// A variable's declaration; empty if its first value is not supported.
std::string declaration(const Global& global) {
  const std::string_view space = global.space == shared_space     ? ".shared"
                                 : global.space == constant_space ? ".const"
                                                                  : ".global";
  const std::uint64_t size = size_of(*global.type);
  const std::string head = fmt::format(
      "{}{} .align {} .b8 {}", global.external ? ".extern " : "", space,
      global.external ? std::max<std::uint64_t>(global.alignment, 16) : global.alignment, ptx_name(global.name));
  if (global.external || size == 0) return fmt::format("{}[];\n", head);
  const bool no_values = global.value.kind == Operand::Kind::undefined || global.value.kind == Operand::Kind::zero;
  if (no_values || global.space == shared_space) return fmt::format("{}[{}];\n", head, size);
  std::vector<std::uint8_t> bytes(size);
  if (!write_bytes(global.value, global.type, bytes, 0)) return {};
  const bool zeros = std::ranges::all_of(bytes, [](std::uint8_t one) { return one == 0; });
  if (zeros) return fmt::format("{}[{}];\n", head, size);
  return fmt::format("{}[{}] = {{{}}};\n", head, size, fmt::join(bytes, ", "));
}

}  // namespace

base::Result<std::string> write_ptx(const Module& module, std::string_view source) {
  std::string out = ".version 8.0\n.target sm_90\n.address_size 64\n\n";
  for (const Global& global : module.globals) {
    const std::string text = declaration(global);
    if (text.empty()) return base::Error{fmt::format("the first value of {} is not supported", global.name)};
    out += text;
  }
  out += fmt::format(".file 1 \"{}\"\n", source);
  int number = 0;
  for (const Function& function : module.functions) {
    if (!function.kernel) continue;
    FunctionWriter writer(module, function, number++);
    out += "\n" + writer.text();
    if (!writer.problem().empty()) return base::Error{writer.problem()};
  }
  return out;
}

}  // namespace warpwalk::nvvm
