#include "core/sass/elf/cubin.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>

#include "core/sass/elf/attributes.h"
#include "core/sass/elf/bytes.h"
#include "core/sass/elf/elf.h"
#include "core/sass/elf/functions.h"
#include "core/sass/number_text.h"

namespace warpwalk::sass {
namespace {

constexpr std::uint16_t machine_cuda = 190;
/// Cubins of CUDA 13 have version 8; older ones keep the capability in the lowest byte of the flags.
constexpr std::uint8_t first_abi_with_shifted_capability = 8;
constexpr std::string_view constant_prefix = ".nv.constant";

std::uint32_t capability(const ElfFile& file) {
  return file.abi_version >= first_abi_with_shifted_capability ? file.flags >> 8 & 0xff : file.flags & 0xff;
}

/// The space of a variable whose value is a handle; nothing for other symbols.
std::optional<CubinSpace> handle_space(ElfSymbolKind kind) {
  switch (kind) {
    case ElfSymbolKind::texture: return CubinSpace::texture;
    case ElfSymbolKind::sampler: return CubinSpace::sampler;
    case ElfSymbolKind::surface: return CubinSpace::surface;
    default: return std::nullopt;
  }
}

void take_variables(const ElfFile& file, Cubin& out) {
  // In an image in memory, variables have addresses, but their section has none: where they are in it is not said.
  const bool loaded = std::ranges::any_of(file.sections, [](const ElfSection& s) { return s.address != 0; });
  for (const ElfSymbol& symbol : file.symbols) {
    if (const auto space = handle_space(symbol.kind)) {
      CubinVariable& variable = out.variables.emplace_back();
      variable.name = symbol.name;
      variable.space = *space;
      continue;
    }
    if (symbol.kind != ElfSymbolKind::object || symbol.section >= file.sections.size()) continue;
    const ElfSection& section = file.sections[symbol.section];
    const bool global = section.name.starts_with(".nv.global");
    if (!global && !section.name.starts_with(constant_prefix)) continue;
    CubinVariable variable{.name = symbol.name,
                           .space = global ? CubinSpace::global : CubinSpace::constant,
                           .section = section.name,
                           .offset = loaded ? 0 : symbol.value,
                           .address = loaded ? symbol.value : 0,
                           .bytes = symbol.size,
                           .initial = {}};
    if (!loaded && symbol.value < section.content.size())
      variable.initial = section.content.substr(symbol.value, symbol.size);
    out.variables.push_back(variable);
  }
}

void take_constants(const ElfFile& file, Cubin& out) {
  for (const ElfSection& section : file.sections) {
    if (!section.name.starts_with(constant_prefix)) continue;
    const std::string_view number = section.name.substr(constant_prefix.size());
    if (number.size() == 1 && number.front() >= '0' && number.front() <= '9')
      out.constants.push_back({static_cast<std::uint32_t>(number.front() - '0'), section.content});
  }
}

void take_relocations(const ElfFile& file, Cubin& out) {
  for (const ElfRelocation& relocation : file.relocations) {
    if (relocation.section >= file.sections.size() || relocation.symbol >= file.symbols.size()) continue;
    const std::string_view section = file.sections[relocation.section].name;
    if (section.starts_with(".debug") || section.starts_with(".nv_debug")) continue;
    out.relocations.push_back({section, relocation.offset, relocation.type, file.symbols[relocation.symbol].name,
                               relocation.addend, !relocation.has_addend});
  }
}

/// The row that covers an address, or null.
const LineRow* row_at(const LineSequence& sequence, std::uint64_t address) {
  const auto after = std::ranges::upper_bound(sequence.rows, address, {}, &LineRow::address);
  if (after == sequence.rows.begin() || std::prev(after)->ends) return nullptr;
  return &*std::prev(after);
}

/// The offset of the parameters in constant bank 0.
std::uint32_t parameter_base(Architecture architecture) {
  if (architecture >= Architecture::sm_100) return 0x380;
  return architecture >= Architecture::sm_90 ? 0x210 : 0x160;
}

}  // namespace

base::Result<Cubin> parse_cubin(std::string_view bytes) {
  const auto parsed = parse_elf(bytes);
  if (!parsed) return base::Error{"cubin: " + parsed.error()};
  const ElfFile& file = *parsed;
  if (file.machine != machine_cuda)
    return base::Error{"cubin: the ELF file is for machine " + std::to_string(file.machine) +
                       ", not for NVIDIA GPUs (190)"};
  const auto architecture = architecture_of(capability(file));
  if (!architecture)
    return base::Error{"cubin: sm_" + std::to_string(capability(file)) + " is not supported (flags " +
                       hex_text_unsigned(file.flags) +
                       "); compile for sm_75, sm_80, sm_86, sm_89, sm_90, sm_100 or sm_120"};
  Cubin out;
  out.architecture = *architecture;
  out.functions = cubin_functions(file);
  // The cubin says nothing of the place for a kernel without parameters.
  for (CubinFunction& function : out.functions)
    if (function.parameter_base == 0) function.parameter_base = parameter_base(out.architecture);
  take_variables(file, out);
  take_constants(file, out);
  take_relocations(file, out);
  out.files = add_lines(file, out.functions);
  if (const ElfSection* names = file.section(".debug_str")) out.names = names->content;
  if (const ElfSection* ptx = file.section(".nv_debug_ptx_txt")) out.ptx = ptx->content;
  return out;
}

std::vector<SourcePosition> source_positions(const Cubin& cubin, const CubinFunction& function, std::uint64_t address) {
  std::vector<SourcePosition> positions;
  for (const LineSequence& sequence : function.source_lines) {
    const LineRow* row = row_at(sequence, address);
    while (row != nullptr) {
      positions.push_back({row->file < cubin.files.size() ? cubin.files[row->file].name : std::string_view{}, row->line,
                           row->function < 0 ? std::string_view{}
                                             : Bytes(cubin.names).text(static_cast<std::uint64_t>(row->function))});
      row = row->inlined_at < 0 ? nullptr : &sequence.rows[static_cast<std::size_t>(row->inlined_at)];
    }
    if (!positions.empty()) break;
  }
  return positions;
}

std::string plain_name(std::string_view symbol) {
  const std::string mangled(symbol);
  int failed = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &failed), &std::free);
  if (failed != 0 || text == nullptr) return mangled;
  const std::string_view whole = text.get();
  return std::string(whole.substr(0, whole.find('(')));
}

std::uint32_t ptx_line(const CubinFunction& function, std::uint64_t address) {
  for (const LineSequence& sequence : function.ptx_lines)
    if (const LineRow* row = row_at(sequence, address)) return row->line;
  return 0;
}

}  // namespace warpwalk::sass
