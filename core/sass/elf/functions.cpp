#include "core/sass/elf/functions.h"

#include <algorithm>
#include <map>

#include "core/sass/elf/attributes.h"

namespace warpwalk::sass {
namespace {

constexpr std::string_view text_prefix = ".text.";
constexpr std::uint8_t entry_flag = 0x10;  // STO_CUDA_ENTRY in st_other
// Before .nv.info had them, a code section's flags held the barriers and its info the registers.
constexpr unsigned barriers_shift = 20, registers_shift = 24;
constexpr std::uint64_t barriers_mask = 0x7f;
// EIATTR_KPARAM_INFO: ordinal and offset share a word; the size is in the upper bits of the last one. Kernels with a
// parameter that is too large for these bits have EIATTR_KPARAM_INFO_V2, where the size has a word of its own.
constexpr std::size_t parameter_place = 1, parameter_word = 2;
constexpr unsigned parameter_size_shift = 18, half_word = 16;
constexpr std::uint32_t half_word_mask = 0xffff;

/// The values of .nv.info, which name functions by their symbol.
struct ModuleAttributes {
  std::map<std::uint32_t, std::uint32_t> registers, frame, min_stack, max_stack;
};

ModuleAttributes module_attributes(const ElfFile& file) {
  ModuleAttributes out;
  const ElfSection* const section = file.section(".nv.info");
  if (section == nullptr) return out;
  for (const Attribute& attribute : parse_attributes(section->content)) {
    const auto symbol = attribute.number(0), value = attribute.number(1);
    if (!symbol || !value) continue;
    switch (attribute.code) {
      case AttributeCode::regcount: out.registers[*symbol] = *value; break;
      case AttributeCode::frame_size: out.frame[*symbol] = *value; break;
      case AttributeCode::min_stack_size: out.min_stack[*symbol] = *value; break;
      case AttributeCode::max_stack_size: out.max_stack[*symbol] = *value; break;
      default: break;
    }
  }
  return out;
}

std::optional<Extent3> extent(const Attribute& attribute) {
  const auto x = attribute.number(0), y = attribute.number(1), z = attribute.number(2);
  if (!x || !y || !z) return std::nullopt;
  return Extent3{*x, *y, *z};
}

void take_parameter(const Attribute& attribute, CubinFunction& function) {
  const auto place = attribute.number(parameter_place), word = attribute.number(parameter_word);
  if (!place || !word) return;
  const bool wide = attribute.code == AttributeCode::kparam_info_v2;
  function.parameters.push_back({.ordinal = *place & half_word_mask,
                                 .offset = *place >> half_word,
                                 .bytes = wide ? *word : *word >> parameter_size_shift});
}

void take_attributes(const ElfFile& file, CubinFunction& function) {
  const ElfSection* const section = file.section(".nv.info." + std::string(function.name));
  if (section == nullptr) return;
  for (const Attribute& attribute : parse_attributes(section->content)) {
    switch (attribute.code) {
      case AttributeCode::kparam_info:
      case AttributeCode::kparam_info_v2: take_parameter(attribute, function); break;
      case AttributeCode::param_cbank:
        if (const auto word = attribute.number(1)) {
          function.parameter_base = *word & half_word_mask;
          function.parameter_bytes = *word >> half_word;
        }
        break;
      case AttributeCode::max_threads: function.max_block = extent(attribute); break;
      case AttributeCode::reqntid: function.required_block = extent(attribute); break;
      case AttributeCode::cta_per_cluster: function.cluster = extent(attribute); break;
      case AttributeCode::max_cluster_rank: function.max_cluster_blocks = attribute.small(); break;
      case AttributeCode::num_barriers: function.barriers = attribute.small() & 0xff; break;
      default: break;
    }
  }
  std::ranges::sort(function.parameters, {}, &CubinParameter::ordinal);
}

std::uint32_t value_or(const std::map<std::uint32_t, std::uint32_t>& values, std::uint32_t key, std::uint32_t other) {
  const auto found = values.find(key);
  return found == values.end() ? other : found->second;
}

void take_constants(const ElfFile& file, CubinFunction& function) {
  for (const std::uint32_t bank : {0u, 2u}) {
    const std::string name = ".nv.constant" + std::to_string(bank) + "." + std::string(function.name);
    if (const ElfSection* section = file.section(name)) function.constants.push_back({bank, section->content});
  }
}

bool is_code(const ElfFile& file, const ElfSymbol& symbol) {
  return symbol.kind == ElfSymbolKind::function && symbol.section < file.sections.size() &&
         file.sections[symbol.section].name.starts_with(text_prefix);
}

bool owns_section(const ElfFile& file, const ElfSymbol& symbol) {
  return file.sections[symbol.section].name.substr(text_prefix.size()) == symbol.name;
}

/// Gives the line sequences of a debug section to the functions that the section's relocations name.
void distribute(const ElfFile& file, const ElfSection& section, LineProgram& program,
                const std::map<std::uint32_t, CubinFunction*>& by_section,
                std::vector<LineSequence> CubinFunction::*member) {
  const auto index = static_cast<std::uint32_t>(&section - file.sections.data());
  std::map<std::uint64_t, const ElfRelocation*> places;
  for (const ElfRelocation& relocation : file.relocations)
    if (relocation.section == index && relocation.symbol < file.symbols.size()) places[relocation.offset] = &relocation;
  for (LineSequence& sequence : program.sequences) {
    const auto place = places.find(sequence.address_place);
    if (place == places.end()) continue;
    const ElfSymbol& symbol = file.symbols[place->second->symbol];
    const auto owner = by_section.find(symbol.section);
    if (owner == by_section.end()) continue;
    // In the image of a core dump, the rows have addresses already, but the relocations are still there.
    const ElfSection& code = file.sections[symbol.section];
    const std::uint64_t base =
        code.address == 0 ? symbol.value + static_cast<std::uint64_t>(place->second->addend) : -code.address;
    for (LineRow& row : sequence.rows) row.address += base;
    (owner->second->*member).push_back(std::move(sequence));
  }
}

}  // namespace

std::vector<CubinFunction> cubin_functions(const ElfFile& file) {
  const ModuleAttributes attributes = module_attributes(file);
  std::vector<CubinFunction> functions;
  std::map<std::uint32_t, std::size_t> owners;
  for (std::uint32_t i = 0; i < file.symbols.size(); ++i) {
    const ElfSymbol& symbol = file.symbols[i];
    if (!is_code(file, symbol) || !owns_section(file, symbol) || owners.contains(symbol.section)) continue;
    const ElfSection& section = file.sections[symbol.section];
    CubinFunction function;
    function.name = symbol.name;
    function.is_entry = (symbol.other & entry_flag) != 0;
    function.symbol = i;
    function.address = section.address;
    function.code = section.content;
    function.registers = value_or(attributes.registers, i, section.info >> registers_shift);
    function.barriers = static_cast<std::uint32_t>(section.flags >> barriers_shift & barriers_mask);
    function.frame_bytes = value_or(attributes.frame, i, 0);
    function.min_stack_bytes = value_or(attributes.min_stack, i, 0);
    if (const auto found = attributes.max_stack.find(i); found != attributes.max_stack.end())
      function.max_stack_bytes = found->second;
    if (const ElfSection* shared = file.section(".nv.shared." + std::string(symbol.name)))
      function.shared_bytes = shared->size;
    take_attributes(file, function);
    take_constants(file, function);
    owners[symbol.section] = functions.size();
    functions.push_back(std::move(function));
  }
  for (std::uint32_t i = 0; i < file.symbols.size(); ++i) {
    const ElfSymbol& symbol = file.symbols[i];
    if (!is_code(file, symbol) || owns_section(file, symbol)) continue;
    if (const auto owner = owners.find(symbol.section); owner != owners.end())
      functions[owner->second].callees.push_back({symbol.name, offset_in_section(file.sections[symbol.section], symbol),
                                                  symbol.size, value_or(attributes.frame, i, 0)});
  }
  return functions;
}

std::vector<LineFile> add_lines(const ElfFile& file, std::vector<CubinFunction>& functions) {
  std::map<std::uint32_t, CubinFunction*> by_section;
  for (CubinFunction& function : functions) by_section[file.symbols[function.symbol].section] = &function;
  std::vector<LineFile> files;
  if (const ElfSection* section = file.section(".debug_line")) {
    LineProgram program = parse_line_program(section->content);
    files = std::move(program.files);
    distribute(file, *section, program, by_section, &CubinFunction::source_lines);
  }
  if (const ElfSection* section = file.section(".nv_debug_line_sass")) {
    LineProgram program = parse_line_program(section->content);
    distribute(file, *section, program, by_section, &CubinFunction::ptx_lines);
  }
  return files;
}

}  // namespace warpwalk::sass
