#include "instrumentation/cubin.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <elf.h>

namespace warpwalk::instrumentation {
namespace {

constexpr std::string_view text_prefix = ".text.";

/// A bounds-checked ELF reader: out-of-range reads are truncated or return nothing.
class Elf {
 public:
  explicit Elf(std::string_view bytes) : bytes_(bytes) {
    const auto head = at<Elf64_Ehdr>(0);
    if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_ident[EI_DATA] != ELFDATA2LSB || head->e_machine != EM_CUDA)
      return;
    for (std::uint64_t i = 0; i < head->e_shnum; ++i)
      if (const auto section = at<Elf64_Shdr>(head->e_shoff + i * sizeof(Elf64_Shdr))) sections_.push_back(*section);
    if (head->e_shstrndx < sections_.size()) names_ = content(sections_[head->e_shstrndx]);
  }

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  std::string_view name(const Elf64_Shdr& section) const { return text(names_, section.sh_name); }
  std::string_view content(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > bytes_.size()) return {};
    return bytes_.substr(section.sh_offset, section.sh_size);
  }
  static std::string_view text(std::string_view table, std::uint64_t offset) {
    if (offset >= table.size()) return {};
    table.remove_prefix(offset);
    return table.substr(0, table.find('\0'));
  }

 private:
  template <class Record>
  std::optional<Record> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Record)) return {};
    Record record;
    std::memcpy(&record, bytes_.data() + offset, sizeof record);
    return record;
  }

  std::string_view bytes_;
  std::vector<Elf64_Shdr> sections_;
  std::string_view names_;
};

void read_symbols(const Elf& elf, const Elf64_Shdr& table, Cubin& out) {
  if (table.sh_link >= elf.sections().size()) return;
  const std::string_view names = elf.content(elf.sections()[table.sh_link]);
  const std::string_view symbols = elf.content(table);
  for (std::size_t i = 0; (i + 1) * sizeof(Elf64_Sym) <= symbols.size(); ++i) {
    Elf64_Sym symbol;
    std::memcpy(&symbol, symbols.data() + i * sizeof symbol, sizeof symbol);
    if (symbol.st_shndx >= elf.sections().size()) continue;
    const std::string_view name = Elf::text(names, symbol.st_name);
    const Elf64_Shdr& section = elf.sections()[symbol.st_shndx];
    const std::string_view of_section = elf.name(section);
    const bool holds_variables = of_section.starts_with(".nv.global") || of_section.starts_with(".nv.constant3");
    if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && holds_variables && symbol.st_size > 0 && !name.empty())
      out.variables.push_back(name);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
    if (name.empty() || !of_section.starts_with(text_prefix) || of_section.substr(text_prefix.size()) != name) continue;
    out.functions.push_back({name, static_cast<std::uint32_t>(i), elf.content(section)});
  }
}

}  // namespace

Cubin parse_cubin(std::string_view bytes) {
  const Elf elf(bytes);
  Cubin out;
  for (const Elf64_Shdr& section : elf.sections()) {
    const std::string_view name = elf.name(section);
    if (section.sh_type == SHT_SYMTAB) read_symbols(elf, section, out);
    if (name == ".debug_line") out.has_source_lines = true;
    if (name == ".nv_debug_line_sass") out.has_ptx_lines = true;
    if (name != ".nv_debug_ptx_txt") continue;
    out.ptx = elf.content(section);
    std::replace(out.ptx.begin(), out.ptx.end(), '\0', '\n');
  }
  return out;
}

}  // namespace warpwalk::instrumentation
