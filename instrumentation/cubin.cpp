#include "instrumentation/cubin.h"

#include <algorithm>

#include "core/sass/elf/elf.h"

namespace warpwalk::instrumentation {
namespace {

constexpr std::string_view text_prefix = ".text.";
constexpr std::uint16_t cuda_machine = 190;  // EM_CUDA

void take_symbol(const sass::ElfFile& file, std::size_t index, Cubin& out) {
  const sass::ElfSymbol& symbol = file.symbols[index];
  if (symbol.section >= file.sections.size() || symbol.name.empty()) return;
  const sass::ElfSection& section = file.sections[symbol.section];
  const bool holds_variables = section.name.starts_with(".nv.global") || section.name.starts_with(".nv.constant3");
  if (symbol.kind == sass::ElfSymbolKind::object && holds_variables && symbol.size > 0)
    out.variables.push_back(symbol.name);
  if (symbol.kind == sass::ElfSymbolKind::function && section.name.starts_with(text_prefix) &&
      section.name.substr(text_prefix.size()) == symbol.name)
    out.functions.push_back({symbol.name, static_cast<std::uint32_t>(index), section.content});
}

}  // namespace

Cubin parse_cubin(std::string_view bytes) {
  Cubin out;
  const auto file = sass::parse_elf(bytes);
  if (!file || file->machine != cuda_machine) return out;
  for (std::size_t i = 0; i < file->symbols.size(); ++i) take_symbol(*file, i, out);
  out.has_source_lines = file->section(".debug_line") != nullptr;
  out.has_ptx_lines = file->section(".nv_debug_line_sass") != nullptr;
  if (const sass::ElfSection* const ptx = file->section(".nv_debug_ptx_txt")) {
    out.ptx = ptx->content;
    std::replace(out.ptx.begin(), out.ptx.end(), '\0', '\n');
  }
  return out;
}

}  // namespace warpwalk::instrumentation
