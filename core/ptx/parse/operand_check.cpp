#include "core/ptx/parse/operand_check.h"

#include <bit>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/ptx/matrix.h"
#include "core/ptx/parse/video_check.h"

namespace warpwalk::ptx {
namespace {

/// Returns the rules that apply to `count` operands. Optional rules are dropped from the end until the count fits.
std::vector<OperandRule> rules_for(const Form& form, const Instruction& instruction, std::size_t count) {
  std::vector<OperandRule> rules;
  for (const OperandRule& rule : form.operands) {
    if (rule.role == 'c' && instruction.action == Action::none) continue;
    if (rule.role == 'k' && !instruction.has(Modifier::cache_hint)) continue;
    rules.push_back(rule);
  }
  for (std::size_t i = rules.size(); i > 0 && rules.size() > count; --i)
    if (rules[i - 1].optional) rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(i) - 1);
  return rules;
}

class OperandCheck {
 public:
  OperandCheck(const Module& module, const Function& function, const Instruction& instruction)
      : module_(module), function_(function), instruction_(instruction) {}

  /// Describes what is wrong with this operand; empty if it fits.
  std::string error_in(const OperandRule& rule, const Operand& operand) const {
    switch (rule.role) {
      case 'd': return check_destination(operand, type_of(rule), false);
      case 'D': return check_destination(operand, type_of(rule), true);
      case 'o': return operand.kind == OperandKind::discard ? "" : check_destination(operand, type_of(rule), false);
      case '_': return operand.kind == OperandKind::discard ? "" : "expected `_`";
      case 'E':
        return operand.kind == OperandKind::pair ? first_of_pair(operand, type_of(rule)) : "expected a pair d|p";
      case 'e':
        return operand.kind == OperandKind::pair ? first_of_pair(operand, type_of(rule))
                                                 : check_destination(operand, type_of(rule), false);
      case 'r':
        return operand.kind == OperandKind::reg ? check_source(operand, type_of(rule), false) : "expected a register";
      case 's':
        return is_count(rule) && operand.kind == OperandKind::immediate ? count_error(rule, operand)
                                                                        : check_source(operand, type_of(rule), false);
      case 'S': return check_source(operand, type_of(rule), true);
      case 'H':
      case 'h':
      case 'g': return video(rule, operand);
      case 'v': return vector(operand, true);
      case 'V': return vector(operand, false);
      case 'w':
        return operand.kind == OperandKind::vector ? parts(operand, true)
                                                   : check_destination(operand, type_of(rule), false);
      case 'm': return check_mov_source(operand, type_of(rule));
      case 'y':
        return is_name(operand) && !instruction_.has(Modifier::to) ? in_space(operand, instruction_.space)
                                                                   : check_source(operand, type_of(rule), false);
      case 'p': return check_destination(operand, Type::pred, false);
      case 'P':
        if (operand.kind == OperandKind::discard) return "";
        return operand.kind == OperandKind::pair ? first_of_pair(operand, Type::pred)
                                                 : check_destination(operand, Type::pred, false);
      case 'n':
      case 'c': return predicate(operand);
      case 'k': return check_source(operand, Type::b64, false);
      case 'z': return is_predicate(operand) ? "" : check_source(operand, Type::u32, false);
      case 'a': return check_source(operand, Type::b32, false).empty() ? "" : check_source(operand, Type::b64, false);
      case 'A': return address(operand);
      case 'i': return number(rule, operand);
      case '{': return fragment(rule, operand);
      case 'T': return texel(operand, type_of(rule));
      case 'G': return derivatives(operand, type_of(rule));
      case 'M': return tensor_place(operand);
      case 'O': return pixel_offsets(operand);
      case 'X': return group_factor(rule, operand);
      default: return "";
    }
  }

 private:
  Type type_of(const OperandRule& rule) const {
    switch (rule.type) {
      case 'x': return bytes_of(instruction_.type()) == 2 ? Type::u32 : Type::u64;
      case 'u':
      case 'b':
      case 't':
      case 'm': return Type::u32;
      case 'h': return Type::u16;
      case 'q': return Type::b64;
      case 'f': return Type::f32;
      default: return instruction_.type(static_cast<std::size_t>(rule.type - '0'));
    }
  }

  Type type_of(const Operand& operand) const {
    return function_.registers[static_cast<std::size_t>(operand.index)].type;
  }

  static bool is_name(const Operand& operand) {
    return !operand.address && (operand.kind == OperandKind::variable || operand.kind == OperandKind::local_variable ||
                                operand.kind == OperandKind::parameter || operand.kind == OperandKind::function);
  }

  /// Instructions on these types take registers only, no immediates.
  static bool is_half(Type type) {
    return type == Type::f16 || type == Type::bf16 || type == Type::f16x2 || type == Type::bf16x2 ||
           type == Type::u16x2 || type == Type::s16x2;
  }

  bool is_predicate(const Operand& operand) const {
    const bool plain = operand.offset == 0 && operand.selector.count == 0 && !operand.minus && !operand.address;
    return plain && operand.kind == OperandKind::reg && type_of(operand) == Type::pred;
  }

  /// True if a register of type `reg` can hold a value of type `type`, ignoring widths (PTX ISA, "Operand Type
  /// Checking", as ptxas implements it: .f16x2 registers count as .b32).
  static bool compatible(Type reg, Type type) {
    if (is_bits(reg) || is_bits(type) || reg == type) return true;
    const bool is_integer = type >= Type::u8 && type <= Type::s64;
    return is_integer && (reg == Type::f16x2 || !is_float(reg));
  }

  std::string width_or_type_error(Type reg, Type type, bool wider) const {
    if ((reg == Type::pred) != (type == Type::pred))
      return fmt::format("expected a {}, not a .{} register",
                         type == Type::pred ? "predicate register" : "non-predicate register", name_of(reg));
    const int has = bytes_of(reg), needs = bytes_of(type);
    if (has != needs && !(wider && has > needs))
      return fmt::format("expected a register of {}{} bits for .{}, not a .{} register", wider ? "at least " : "",
                         needs * 8, name_of(type), name_of(reg));
    if (compatible(reg, type)) return "";
    return fmt::format("a register of type .{} cannot hold .{}; use a .b{} register", name_of(reg), name_of(type),
                       needs * 8);
  }

  std::string check_destination(const Operand& operand, Type type, bool wider) const {
    if (operand.kind != OperandKind::reg || operand.address) return "expected a register to write to";
    if (operand.negated || operand.minus || operand.offset != 0) return "a destination is neither negated nor a sum";
    if (operand.selector.count != 0) return "this instruction writes whole registers";
    return width_or_type_error(type_of(operand), type, wider);
  }

  std::string check_source(const Operand& operand, Type type, bool wider) const {
    if (type == Type::pred) return predicate(operand);
    if (operand.negated) return "`!` can only negate predicates";
    if (operand.minus) return "only vmad takes `-` before a register";
    if (operand.selector.count != 0) return "this instruction reads whole registers";
    if (operand.address) return "expected a value, not an address in brackets";
    if (operand.kind == OperandKind::reg) return width_or_type_error(type_of(operand), type, wider);
    if (is_half(type)) return fmt::format("expected a register: .{} instructions do not accept numbers", name_of(type));
    if (operand.kind == OperandKind::special) return special(operand, type);
    if (operand.kind != OperandKind::immediate) return "expected a register or a number";
    if (operand.literal == Literal::integer) {
      const bool is_real = type == Type::f32 || type == Type::f64;
      return is_real ? "expected a floating-point number, such as 1.0 or 0f3F800000" : "";
    }
    if (type == Type::f32 || type == Type::f64) return "";
    const int bytes = operand.literal == Literal::f32 ? 4 : 8;
    if (is_bits(type) && bytes_of(type) == bytes) return "";
    return fmt::format("expected a number of type .{}, not a floating-point number", name_of(type));
  }

  std::string special(const Operand& operand, Type type) const {
    const Opcode opcode = instruction_.opcode;
    if ((opcode != Opcode::mov && opcode != Opcode::cvt) || is_float(type) || is_float(instruction_.type()))
      return "only mov, or cvt to an integer, can read special registers; move it to a register first";
    const int has = bytes_of(ptx::type_of(operand.special)), needs = bytes_of(type);
    // mov.u16 of %tid.x takes the low half, as older PTX with 16-bit thread numbers does.
    if (has == needs || (has == 4 && needs == 2)) return "";
    return fmt::format("{} has {} bits", name_of(operand.special), has * 8);
  }

  std::string predicate(const Operand& operand) const {
    if (operand.kind == OperandKind::special && ptx::type_of(operand.special) == Type::pred) return "";
    if (operand.kind == OperandKind::immediate && operand.literal == Literal::integer) return "";
    return is_predicate(operand) ? "" : "expected a predicate register, p or !p";
  }

  std::string video(const OperandRule& rule, const Operand& operand) const {
    if (std::string why = video_operand_error(instruction_, operand, rule.role == 'H'); !why.empty()) return why;
    Operand whole = operand;
    whole.minus = false;
    if (rule.role != 'g') whole.selector = {};
    return rule.role == 'H' ? check_destination(whole, type_of(rule), false)
                            : check_source(whole, type_of(rule), false);
  }

  std::string first_of_pair(const Operand& pair, Type type) const {
    const Operand& first = pair.elements[0];
    const Operand& second = pair.elements[1];
    std::string why = first.kind == OperandKind::discard ? "" : check_destination(first, type, false);
    if (why.empty() && second.kind != OperandKind::discard) why = check_destination(second, Type::pred, false);
    return why;
  }

  /// The operand of a load or store: one register, or as many as .v2 or .v4 specifies.
  std::string vector(const Operand& operand, bool is_written) const {
    const auto one = [&](const Operand& element) {
      if (is_written && element.kind == OperandKind::discard) return std::string();
      const bool wider = instruction_.opcode != Opcode::mov;
      return is_written ? check_destination(element, instruction_.type(), wider)
                        : check_source(element, instruction_.type(), wider);
    };
    if (instruction_.vector == 1 && operand.kind != OperandKind::vector) return one(operand);
    if (operand.kind != OperandKind::vector || operand.elements.size() != instruction_.vector)
      return instruction_.vector == 1 ? "expected one register"
                                      : fmt::format("expected {} registers in braces", instruction_.vector);
    for (const Operand& element : operand.elements)
      if (std::string why = one(element); !why.empty()) return why;
    return "";
  }

  /// mov.b64 {a, b}, c and the reverse: parts of equal size.
  std::string parts(const Operand& operand, bool is_written) const {
    const auto count = static_cast<int>(operand.elements.size());
    const int whole = bytes_of(instruction_.type());
    if (!is_bits(instruction_.type()) || (count != 2 && count != 4) || whole % count != 0)
      return "only .b16 to .b128 can be packed from or unpacked into 2 or 4 parts";
    const Type part = whole / count == 1   ? Type::b8
                      : whole / count == 2 ? Type::b16
                      : whole / count == 4 ? Type::b32
                                           : Type::b64;
    for (const Operand& element : operand.elements) {
      if (is_written && element.kind == OperandKind::discard) continue;
      std::string why = is_written ? check_destination(element, part, false) : check_source(element, part, false);
      if (!why.empty()) return why;
    }
    return "";
  }

  std::string check_mov_source(const Operand& operand, Type type) const {
    if (operand.kind == OperandKind::vector) return parts(operand, false);
    if (!is_name(operand)) return check_source(operand, type, false);
    if (is_float(type) || (bytes_of(type) != 8 && bytes_of(type) != 4))
      return "an address must be a 32-bit or 64-bit integer";
    return "";
  }

  std::string address(const Operand& operand) const {
    if (!operand.address) return "expected an address in brackets";
    if (operand.kind == OperandKind::reg) {
      const Type type = type_of(operand);
      if (is_float(type) || (bytes_of(type) != 8 && bytes_of(type) != 4))
        return "an address must be in a 32-bit or 64-bit register";
      return "";
    }
    if (operand.kind == OperandKind::immediate) return "";
    // Asynchronous copies name two spaces: the destination (which also holds its barrier) and, for the second operand,
    // the source.
    const bool is_source = instruction_.operands.size() > 1 && &operand == &instruction_.operands[1];
    if (is_source && instruction_.has(Modifier::global)) return in_space(operand, Space::global);
    if (is_source && instruction_.has(Modifier::bulk_group)) return in_space(operand, Space::shared);
    return in_space(operand, instruction_.space);
  }

  /// Checks that the variable or parameter is in this space. .const and .param variables have no generic address.
  std::string in_space(const Operand& operand, Space expected) const {
    if (operand.kind == OperandKind::function) return "expected a variable, not a function";
    const Space space = space_of(module_, function_, operand);
    const bool reachable = expected == Space::generic && space != Space::constant && space != Space::param;
    if (space == expected || reachable) return "";
    return fmt::format("this variable is in .{}, but the instruction accesses .{}", name_of(space), name_of(expected));
  }

  static bool is_count(const OperandRule& rule) { return rule.type == 'b' || rule.type == 't' || rule.type == 'm'; }

  static std::string count_error(const OperandRule& rule, const Operand& operand) {
    if (operand.literal == Literal::integer && rule.type == 'b' && operand.bits < 16) return "";
    if (operand.literal == Literal::integer && rule.type == 't' && operand.bits % 32 == 0) return "";
    if (operand.literal == Literal::integer && rule.type == 'm' && operand.bits % 16 == 0) return "";
    if (rule.type == 'm') return "the size of a bulk copy must be a multiple of 16";
    return rule.type == 'b' ? "a barrier number must be from 0 to 15"
                            : "the thread count of a barrier must be a multiple of 32";
  }

  static std::string number(const OperandRule& rule, const Operand& operand) {
    if (operand.kind != OperandKind::immediate || operand.address || operand.literal != Literal::integer)
      return "expected a constant number";
    const std::uint64_t n = operand.bits;
    switch (rule.type) {
      case 'b': return n < 256 ? "" : "expected a number from 0 to 255";
      case 'c': return n == 4 || n == 8 || n == 16 ? "" : "expected 4, 8 or 16 bytes";
      case 'e': return n < 16 ? "" : "expected a number from 0 to 15";
      case 'g': return n == 16 ? "" : "expected 16 bytes";
      case 'l': return n == 128 ? "" : "expected 128 bytes";
      case '2': return std::has_single_bit(n) ? "" : "expected a power of two";
      case 'n': return n < 1U << 31 ? "" : "expected a number that is not negative";
      case 'r': return n >= 24 && n <= 256 && n % 8 == 0 ? "" : "expected a multiple of 8 from 24 to 256";
      case 's': return n == 1 || n == ~std::uint64_t{0} ? "" : "expected 1 or -1";
      case 'z': return n < 2 ? "" : "expected 0 or 1";
      default: return "";
    }
  }

  /// The number of values between the braces of a texel's place. Three dimensions have a fourth, unused one.
  std::size_t coordinate_count() const {
    if (instruction_.has(Modifier::line)) return 1;
    if (instruction_.has(Modifier::plane) || instruction_.has(Modifier::line_array)) return 2;
    return 4;
  }

  std::string texel(const Operand& operand, Type type) const {
    if (operand.kind != OperandKind::texel) return "expected a texture or surface with coordinates: [a, {b}]";
    const Operand& object = operand.elements[0];
    if (object.kind == OperandKind::reg) {
      if (std::string why = check_source(object, Type::u64, false); !why.empty()) return why;
    } else if (!is_reference(object)) {
      return "expected a .u64 register or a variable of type .texref or .surfref";
    }
    const std::size_t count = operand.elements.size() - 1;
    if (count != coordinate_count())
      return fmt::format("expected {} coordinate{} in braces", coordinate_count(), coordinate_count() == 1 ? "" : "s");
    const bool layered = instruction_.has(Modifier::line_array) || instruction_.has(Modifier::plane_array) ||
                         instruction_.has(Modifier::cube_array);
    for (std::size_t i = 0; i < count; ++i) {
      const Type wanted = layered && i == 0 ? Type::u32 : type;
      if (std::string why = check_coordinate(operand.elements[i + 1], wanted); !why.empty()) return why;
    }
    return "";
  }

  /// The map is at an address in a register or a variable; each dimension has a coordinate.
  std::string tensor_place(const Operand& operand) const {
    if (operand.kind != OperandKind::texel) return "expected a tensor map with coordinates: [map, {x, y}]";
    const Operand& map = operand.elements[0];
    if (map.kind == OperandKind::reg) {
      const Type type = type_of(map);
      if (is_float(type) || (bytes_of(type) != 8 && bytes_of(type) != 4))
        return "an address must be in a 32-bit or 64-bit register";
    } else if (map.kind != OperandKind::immediate) {
      if (std::string why = in_space(map, Space::generic); !why.empty()) return why;
    }
    if (map.offset != 0) return "the address of a tensor map has no offset here; add it to the register";
    const auto count = static_cast<std::size_t>(tensor_dimensions(instruction_));
    const bool image = instruction_.has(Modifier::im2col) || instruction_.has(Modifier::im2col_no_offs);
    if (image && count < 3)
      return "images have three to five dimensions: channels, one to three of a pixel, and images";
    if (operand.elements.size() != count + 1)
      return fmt::format("expected {} coordinate{} in braces", count, count == 1 ? "" : "s");
    for (std::size_t i = 1; i <= count; ++i)
      if (std::string why = check_source(operand.elements[i], Type::s32, false); !why.empty()) return why;
    return "";
  }

  /// An offset in each dimension but those of the channels and the images.
  std::string pixel_offsets(const Operand& operand) const {
    const auto count = static_cast<std::size_t>(tensor_dimensions(instruction_)) - 2;
    if (operand.kind != OperandKind::vector || operand.elements.size() != count)
      return fmt::format("expected {} offset{} in braces", count, count == 1 ? "" : "s");
    for (const Operand& element : operand.elements)
      if (std::string why = check_source(element, Type::u16, false); !why.empty()) return why;
    return "";
  }

  /// A of wgmma.mma_async. Only a matrix in shared memory can be transposed, with a number of its own.
  std::string group_factor(const OperandRule& rule, const Operand& operand) const {
    constexpr std::size_t with_both = 8;
    const bool registers = operand.kind == OperandKind::vector, half = bytes_of(instruction_.type(1)) == 2;
    if (half && registers == (instruction_.operands.size() == with_both))
      return registers ? "A in registers is not transposed: expected one number for B at the end"
                       : "expected two numbers at the end: whether A and B are transposed";
    return registers ? fragment({'{', 'a'}, operand) : check_source(operand, type_of({rule.role, 'q'}), false);
  }

  /// Coordinates may be in registers of another type of the same width.
  std::string check_coordinate(const Operand& operand, Type type) const {
    const bool plain = !operand.negated && !operand.minus && operand.selector.count == 0;
    if (plain && operand.kind == OperandKind::reg && bytes_of(type_of(operand)) == 4) return "";
    return check_source(operand, type, false);
  }

  bool is_reference(const Operand& operand) const {
    if (operand.kind != OperandKind::variable) return false;
    const Type type = module_.variables[static_cast<std::size_t>(operand.index)].type;
    return type == Type::texref || type == Type::surfref;
  }

  std::string derivatives(const Operand& operand, Type type) const {
    const std::size_t dimensions = instruction_.has(Modifier::line) || instruction_.has(Modifier::line_array)     ? 1
                                   : instruction_.has(Modifier::plane) || instruction_.has(Modifier::plane_array) ? 2
                                                                                                                  : 4;
    if (operand.kind != OperandKind::vector || operand.elements.size() != dimensions)
      return fmt::format("expected {} derivative{} in braces", dimensions, dimensions == 1 ? "" : "s");
    for (const Operand& element : operand.elements)
      if (std::string why = check_source(element, type, false); !why.empty()) return why;
    return "";
  }

  /// ldmatrix and stmatrix: one register per matrix; mma: a fragment.
  std::string fragment(const OperandRule& rule, const Operand& operand) const {
    Fragment expected{1, Type::b32};
    if (rule.type == 'n')
      expected.registers = instruction_.has(Modifier::x4) ? 4 : instruction_.has(Modifier::x2) ? 2 : 1;
    else
      expected = fragment_of(instruction_, rule.type);
    if (operand.kind != OperandKind::vector || operand.elements.size() != static_cast<std::size_t>(expected.registers))
      return fmt::format("expected {} register{} in braces", expected.registers, expected.registers == 1 ? "" : "s");
    const bool is_written = &operand == &instruction_.operands.front();
    for (const Operand& element : operand.elements) {
      const Type type = element.kind == OperandKind::immediate ? Type::b32 : expected.type;
      std::string why = is_written ? check_destination(element, type, false) : check_source(element, type, false);
      if (!why.empty()) return why;
    }
    return "";
  }

  const Module& module_;
  const Function& function_;
  const Instruction& instruction_;
};

}  // namespace

Space space_of(const Module& module, const Function& function, const Operand& operand) {
  const auto index = static_cast<std::size_t>(operand.index);
  switch (operand.kind) {
    case OperandKind::variable: return module.variables[index].space;
    case OperandKind::local_variable: return function.variables[index].space;
    case OperandKind::parameter: return Space::param;
    default: return Space::generic;
  }
}

void check_operands(const Form& form, const Module& module, const Function& function, const Instruction& instruction,
                    std::span<const Token> places, const Token& end) {
  const std::size_t count = instruction.operands.size();
  const std::vector<OperandRule> rules = rules_for(form, instruction, count);
  if (rules.size() != count)
    fail(count > rules.size() ? places[rules.size()] : end,
         fmt::format("this {} takes {} operand{}, not {}", name_of(instruction.opcode), rules.size(),
                     rules.size() == 1 ? "" : "s", count));
  const OperandCheck check(module, function, instruction);
  for (std::size_t i = 0; i < count; ++i)
    if (std::string why = check.error_in(rules[i], instruction.operands[i]); !why.empty())
      fail(places[i], std::move(why));
}

}  // namespace warpwalk::ptx
