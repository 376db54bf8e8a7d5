#include "core/gpu/exec/lower_sass/code_image.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/gpu/exec/lower_sass/function_pointers.h"
#include "core/sass/forms/decode.h"

namespace warpwalk::gpu {

namespace {

using sass::Opcode;
using sass::OperandKind;

constexpr std::string_view text_prefix = ".text.";
constexpr std::uint64_t part_alignment = 128;

/// Relocation types (R_CUDA_...) of instructions.
enum Relocation : std::uint32_t {
  low_word = 56,         ///< bits 0 to 31 of an address, in the upper half of the instruction's first 8 bytes
  high_word = 57,        ///< bits 32 to 63, likewise
  call_address = 75,     ///< the target of CALL.ABS
  function_table = 114,  ///< base of the table of functions, which is added to the address in a register
};

class ImageBuilder {
 public:
  ImageBuilder(const sass::Cubin& cubin, const sass::CubinFunction& kernel, std::uint64_t code_base,
               const SymbolValue& value_of, std::span<const std::string> functions)
      : cubin_(cubin), kernel_(kernel), code_base_(code_base), value_of_(value_of), functions_(functions) {}

  base::Result<CodeImage> build() {
    add(kernel_);
    for (const std::string& name : functions_)
      if (function_section(cubin_, name) != nullptr) add_if_function(name);
    for (std::size_t part = 0; part < image_.parts.size(); ++part) add_functions_named_by(part);
    if (jumps_by_register()) {
      for (const sass::CubinRelocation& relocation : cubin_.relocations)
        if (!relocation.section.starts_with(text_prefix)) add_if_function(relocation.symbol);
      for (std::size_t part = 0; part < image_.parts.size(); ++part) add_functions_named_by(part);
    }
    for (const sass::CubinRelocation& relocation : cubin_.relocations)
      if (std::string error = apply(relocation); !error.empty()) return base::Error{std::move(error)};
    decode();
    if (std::string error = find_reachable(); !error.empty()) return base::Error{std::move(error)};
    return std::move(image_);
  }

 private:
  static bool is_absolute(const sass::Instruction& i) {
    return (i.opcode == Opcode::call || i.opcode == Opcode::ret) && i.has(sass::Word::abs);
  }

  void add(const sass::CubinFunction& function) {
    const std::uint64_t begin = (bytes_.size() + part_alignment - 1) / part_alignment * part_alignment;
    const std::size_t whole = function.code.size() / sass::instruction_bytes * sass::instruction_bytes;
    bytes_.resize(begin);
    bytes_.append(function.code.substr(0, whole));
    image_.parts.push_back({&function, begin, begin + whole});
    image_.functions.emplace(function.name, begin);
  }

  void add_if_function(std::string_view name) {
    if (image_.functions.contains(name)) return;
    for (const sass::CubinFunction& function : cubin_.functions)
      if (function.name == name) return add(function);
  }

  void add_functions_named_by(std::size_t part) {
    for (const sass::CubinRelocation& relocation : cubin_.relocations)
      if (in_part(relocation, image_.parts[part])) add_if_function(relocation.symbol);
  }

  static bool in_part(const sass::CubinRelocation& relocation, const CodeImage::Part& part) {
    return relocation.section.starts_with(text_prefix) &&
           relocation.section.substr(text_prefix.size()) == part.function->name;
  }

  /// True if the code may call a function through a pointer that it has loaded.
  bool jumps_by_register() const {
    for (const CodeImage::Part& part : image_.parts)
      for (const sass::Decoded& decoded : sass::decode(cubin_.architecture, part.function->code))
        if (const auto* const i = std::get_if<sass::Instruction>(&decoded))
          if (i->opcode == Opcode::call && is_absolute(*i)) return true;
    return false;
  }

  std::string apply(const sass::CubinRelocation& relocation) {
    const auto part = std::ranges::find_if(image_.parts, [&](const auto& one) { return in_part(relocation, one); });
    if (part == image_.parts.end()) return {};
    const std::uint64_t at = part->begin + relocation.offset;
    const auto own = image_.functions.find(relocation.symbol);
    switch (relocation.type) {
      case low_word:
      case high_word: {
        const auto value = own != image_.functions.end() ? code_base_ + own->second : value_of_(relocation.symbol);
        const std::uint64_t bytes = part->end - part->begin;
        if (!value || bytes < sass::instruction_bytes || relocation.offset > bytes - sass::instruction_bytes) break;
        const std::uint64_t address = *value + static_cast<std::uint64_t>(relocation.addend);
        const auto word = static_cast<std::uint32_t>(relocation.type == low_word ? address : address >> 32);
        std::memcpy(bytes_.data() + at + 4, &word, sizeof word);
        return {};
      }
      case call_address:
        if (relocation.addend != 0) break;
        image_.callees.emplace(at, relocation.symbol);
        return {};
      case function_table: return {};  // pointers to functions are addresses here
      default: break;
    }
    const auto kernel = std::ranges::find(cubin_.functions, relocation.symbol, &sass::CubinFunction::name);
    if (kernel != cubin_.functions.end() && kernel->is_entry)
      return fmt::format("`{}` launches the kernel `{}`; the simulated GPU supports no launches by kernels",
                         part->function->name, relocation.symbol);
    return fmt::format("`{}` needs the address of `{}` in its code, which is not supported", part->function->name,
                       relocation.symbol);
  }

  void decode() {
    unknown_.resize(bytes_.size() / sass::instruction_bytes);
    image_.code.resize(unknown_.size());
    for (const CodeImage::Part& part : image_.parts) {
      const auto code = std::string_view(bytes_).substr(part.begin, part.end - part.begin);
      std::size_t index = part.begin / sass::instruction_bytes;
      for (sass::Decoded& decoded : sass::decode(cubin_.architecture, code)) {
        if (auto* const unknown = std::get_if<sass::UnknownInstruction>(&decoded)) {
          unknown_[index++] = std::move(unknown->what);
          continue;
        }
        sass::Instruction& i = image_.code[index++] = std::get<sass::Instruction>(std::move(decoded));
        i.address += part.begin;
        if (i.opcode == Opcode::atoms && i.has(sass::Word::arrive))
          for (const sass::Operand& operand : i.operands)
            if (operand.kind == OperandKind::address) image_.mbarriers.push_back(operand);
        if (is_absolute(i)) continue;
        for (sass::Operand& operand : i.operands)
          if (operand.kind == OperandKind::target) operand.value += static_cast<std::int64_t>(part.begin);
      }
    }
  }

  /// Marks what execution can reach from the kernel's first instruction. An unknown instruction there is an error.
  std::string find_reachable() {
    image_.reachable.assign(image_.code.size(), 0);
    if (image_.code.empty()) return fmt::format("`{}` has no code", kernel_.name);
    reach(0);
    while (!open_.empty()) {
      const std::size_t index = open_.back();
      open_.pop_back();
      if (!unknown_[index].empty()) return std::move(unknown_[index]);
      reach_after(image_.code[index]);
    }
    return {};
  }

  void reach(std::uint64_t address) {
    const std::uint64_t index = address / sass::instruction_bytes;
    if (address % sass::instruction_bytes != 0 || index >= image_.code.size() || image_.reachable[index] != 0) return;
    image_.reachable[index] = 1;
    open_.push_back(index);
  }

  void reach_after(const sass::Instruction& i) {
    const auto is_predicate = [](const sass::Operand& o) {
      return o.kind == OperandKind::predicate || o.kind == OperandKind::uniform_predicate;
    };
    bool always = i.guard.reg == sass::true_predicate && !i.guard.negate;
    for (const sass::Operand& o : i.operands)
      if (is_predicate(o) && !o.written && (o.reg != sass::true_predicate || o.negate)) always = false;
    const CodeImage::Part& part = image_.part_at(i.address);
    const bool branches = i.opcode == Opcode::bra && !i.has(sass::Word::div) && !i.has(sass::Word::conv);
    const bool leaves = branches || i.opcode == Opcode::brx || i.opcode == Opcode::ret || i.opcode == Opcode::exit;
    if (!(always && leaves) && i.address + sass::instruction_bytes < part.end)
      reach(i.address + sass::instruction_bytes);
    bool has_target = false;
    for (const sass::Operand& o : i.operands) {
      if (o.kind != OperandKind::target || is_absolute(i)) continue;
      has_target = true;
      reach(static_cast<std::uint64_t>(o.value));
    }
    if (i.opcode == Opcode::brx) reach_tables(part);
    if (i.opcode != Opcode::call) return;
    const auto named = image_.callees.find(i.address);
    if (named != image_.callees.end()) {
      if (const auto own = image_.functions.find(named->second); own != image_.functions.end()) reach(own->second);
      return;
    }
    const bool by_register = std::ranges::any_of(i.operands, [](const auto& o) { return o.kind == OperandKind::reg; });
    if (has_target && !by_register) return;
    for (const sass::CubinCallee& callee : part.function->callees) reach(part.begin + callee.offset);
    for (const CodeImage::Part& other : image_.parts)
      if (!other.function->is_entry) reach(other.begin);
  }

  /// The tables of BRX are among the compiler's constants. Other constants are ignored unless they are addresses, too.
  void reach_tables(const CodeImage::Part& part) {
    for (const sass::CubinConstants& bank : part.function->constants) {
      if (bank.number == 0) continue;
      for (std::size_t at = 0; at + 4 <= bank.bytes.size(); at += 4) {
        std::uint32_t address = 0;
        std::memcpy(&address, bank.bytes.data() + at, sizeof address);
        if (address < part.end - part.begin) reach(part.begin + address);
      }
    }
  }

  const sass::Cubin& cubin_;
  const sass::CubinFunction& kernel_;
  const std::uint64_t code_base_;
  const SymbolValue& value_of_;
  const std::span<const std::string> functions_;
  CodeImage image_;
  std::string bytes_;                 ///< the parts, with relocations applied
  std::vector<std::string> unknown_;  ///< by instruction: why it is unknown; empty if it is known
  std::vector<std::size_t> open_;
};

}  // namespace

const CodeImage::Part& CodeImage::part_at(std::uint64_t address) const {
  for (const Part& part : parts)
    if (address >= part.begin && address < part.end) return part;
  return parts.front();
}

base::Result<CodeImage> make_code_image(const sass::Cubin& cubin, const sass::CubinFunction& kernel,
                                        std::uint64_t code_base, const SymbolValue& value_of,
                                        std::span<const std::string> functions) {
  return ImageBuilder(cubin, kernel, code_base, value_of, functions).build();
}

}  // namespace warpwalk::gpu
