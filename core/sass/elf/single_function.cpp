#include "core/sass/elf/single_function.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "core/sass/elf/bytes.h"
#include "core/sass/elf/elf.h"

namespace warpwalk::sass {
namespace {

constexpr std::string_view code_prefix = ".text.";
constexpr std::uint32_t string_table = 3;

void put(std::string& bytes, std::size_t offset, std::uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bytes[offset + i] = static_cast<char>(value >> (8 * i) & 0xff);
}

// The function whose name the section's name ends with: ".nv.info.relu" belongs to relu.
std::string_view owner(std::string_view section, const std::set<std::string_view>& functions) {
  for (std::size_t dot = section.find('.'); dot != std::string_view::npos; dot = section.find('.', dot + 1))
    if (const auto found = functions.find(section.substr(dot + 1)); found != functions.end()) return *found;
  return {};
}

/// What core/sass reads of debugging information: lines, and variables, which only code for a debugger has (-G).
constexpr std::array kept_debug = {std::string_view(".debug_abbrev"),       std::string_view(".debug_info"),
                                   std::string_view(".debug_line"),         std::string_view(".debug_loc"),
                                   std::string_view(".debug_ranges"),       std::string_view(".debug_str"),
                                   std::string_view(".nv_debug_line_sass"), std::string_view(".nv_debug_info_reg_sass"),
                                   std::string_view(".nv_debug_ptx_txt")};

// Debugging information that this room does not read.
bool is_other_debug(std::string_view section) {
  for (const std::string_view relocations : {".rela", ".rel"})
    if (section.starts_with(relocations)) section.remove_prefix(relocations.size());
  return (section.starts_with(".debug") || section.starts_with(".nv_debug")) &&
         std::ranges::find(kept_debug, section) == kept_debug.end();
}

/// A function and those that it calls or names, and they in turn. `owners`: by section, see owner().
std::set<std::string_view> reached_functions(const ElfFile& file, const std::vector<std::string_view>& owners,
                                             std::string_view function) {
  std::set<std::string_view> reached = {function};
  for (bool grows = true; grows;) {
    grows = false;
    for (const ElfRelocation& relocation : file.relocations) {
      if (relocation.section >= owners.size() || relocation.symbol >= file.symbols.size()) continue;
      const std::uint32_t target = file.symbols[relocation.symbol].section;
      if (target >= owners.size() || owners[target].empty() || reached.contains(owners[target])) continue;
      if (file.sections[target].name.starts_with(code_prefix) && reached.contains(owners[relocation.section]))
        grows = reached.insert(owners[target]).second || grows;
    }
  }
  return reached;
}

// The names of kept sections or symbols, one after the other.
class Names {
 public:
  std::uint64_t add(std::string_view name) {
    if (name.empty()) return 0;
    const std::uint64_t at = text_.size();
    text_.append(name).push_back('\0');
    return at;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_ = std::string(1, '\0');
};

}  // namespace

std::string single_function(std::string_view cubin, std::string_view function) {
  const auto parsed = parse_elf(cubin);
  if (!parsed) return {};
  const ElfFile& file = *parsed;
  std::set<std::string_view> functions;
  for (const ElfSection& section : file.sections)
    if (section.name.starts_with(code_prefix)) functions.insert(section.name.substr(code_prefix.size()));
  if (!functions.contains(function)) return {};

  std::vector<std::string_view> owners;
  for (const ElfSection& section : file.sections) owners.push_back(owner(section.name, functions));
  const std::set<std::string_view> reached = reached_functions(file, owners, function);
  const Bytes bytes(cubin);
  const std::uint64_t table = *bytes.number(40, 8), names_index = *bytes.number(62, 2);
  std::vector<bool> kept;
  std::vector<std::string> contents;
  for (const ElfSection& section : file.sections) {
    const std::string_view belongs_to = owners[kept.size()];
    kept.push_back((belongs_to.empty() || reached.contains(belongs_to)) && !is_other_debug(section.name));
    contents.emplace_back(kept.back() ? section.content : std::string_view());
  }
  // The tables of names get only those that are left.
  Names section_names, symbol_names;
  std::vector<std::uint64_t> name_at;
  for (std::size_t s = 0; s < kept.size(); ++s)
    name_at.push_back(kept[s] ? section_names.add(file.sections[s].name) : 0);
  for (std::size_t s = 0; s < kept.size(); ++s) {
    const ElfSection& section = file.sections[s];
    if (section.type != elf_symbol_table) continue;
    for (std::size_t i = 0; i < file.symbols.size(); ++i) {
      const ElfSymbol& symbol = file.symbols[i];
      const std::size_t at = i * elf_symbol_bytes;
      if (at + elf_symbol_bytes > contents[s].size()) break;
      const bool stays = symbol.section >= kept.size() || kept[symbol.section];
      if (stays)
        put(contents[s], at, symbol_names.add(symbol.name), 4);
      else
        contents[s].replace(at, elf_symbol_bytes, elf_symbol_bytes, '\0');
    }
    if (section.link < kept.size() && section.link != names_index && file.sections[section.link].type == string_table)
      contents[section.link] = symbol_names.take();
    break;
  }
  if (names_index < kept.size()) contents[names_index] = section_names.take();

  std::string out(cubin.substr(0, elf_header_bytes));
  put(out, 32, 0, 8);  // no program headers
  put(out, 56, 0, 2);
  std::string headers;
  for (std::size_t s = 0; s < kept.size(); ++s) {
    std::string header(cubin.substr(table + s * elf_section_header_bytes, elf_section_header_bytes));
    const bool has_bytes = file.sections[s].type != elf_no_bits && file.sections[s].type != 0;
    if (!kept[s]) {
      header.assign(elf_section_header_bytes, '\0');
    } else {
      put(header, 0, name_at[s], 4);
      out.resize((out.size() + 15) / 16 * 16, '\0');
      put(header, 24, out.size(), 8);
      if (has_bytes) put(header, 32, contents[s].size(), 8);
      if (has_bytes) out += contents[s];
    }
    headers += header;
  }
  out.resize((out.size() + 15) / 16 * 16, '\0');
  put(out, 40, out.size(), 8);
  return out + headers;
}

}  // namespace warpwalk::sass
