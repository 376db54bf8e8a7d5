#include "core/sass/elf/elf.h"

#include <algorithm>
#include <iterator>

#include "core/sass/elf/bytes.h"
#include "core/sass/number_text.h"

namespace warpwalk::sass {
namespace {

constexpr std::string_view magic{"\177ELF\2\1", 6};       // 64-bit, little-endian
constexpr std::uint64_t names_in_first_section = 0xffff;  // SHN_XINDEX
constexpr std::uint64_t relocation_bytes = 16, relocation_with_addend_bytes = 24;

constexpr ElfSymbolKind symbol_kinds[] = {ElfSymbolKind::object,  ElfSymbolKind::function, ElfSymbolKind::section,
                                          ElfSymbolKind::texture, ElfSymbolKind::sampler,  ElfSymbolKind::surface};

std::string at_text(std::uint64_t offset) { return " at offset " + hex_text_unsigned(offset); }

/// The fields of one section header, before names are known.
struct RawSection {
  std::uint32_t name = 0;
  ElfSection section;
};

base::Result<RawSection> read_section(const Bytes& file, std::uint64_t at) {
  RawSection raw;
  raw.name = static_cast<std::uint32_t>(*file.number(at, 4));
  raw.section.type = static_cast<std::uint32_t>(*file.number(at + 4, 4));
  raw.section.flags = *file.number(at + 8, 8);
  raw.section.address = *file.number(at + 16, 8);
  const std::uint64_t offset = *file.number(at + 24, 8);
  raw.section.size = *file.number(at + 32, 8);
  raw.section.link = static_cast<std::uint32_t>(*file.number(at + 40, 4));
  raw.section.info = static_cast<std::uint32_t>(*file.number(at + 44, 4));
  raw.section.entry_bytes = *file.number(at + 56, 8);
  if (raw.section.type == elf_no_bits || raw.section.type == 0) return raw;
  const auto content = file.part(offset, raw.section.size);
  if (!content) return base::Error{"the section header" + at_text(at) + " points outside the file"};
  raw.section.content = *content;
  return raw;
}

base::Result<std::vector<ElfSection>> read_sections(const Bytes& file) {
  const std::uint64_t table = *file.number(40, 8);
  const std::uint64_t entry_bytes = *file.number(58, 2);
  std::uint64_t count = *file.number(60, 2), names_index = *file.number(62, 2);
  if (table == 0) return std::vector<ElfSection>{};
  // Numbers that do not fit in the header are in the first section header, which is otherwise empty.
  if (const auto many = file.number(table + 32, 8); count == 0 && many) count = *many;
  if (const auto far = file.number(table + 40, 4); names_index == names_in_first_section && far) names_index = *far;
  if (count == 0) return std::vector<ElfSection>{};
  if (entry_bytes != elf_section_header_bytes || count > file.size() / elf_section_header_bytes ||
      !file.part(table, count * elf_section_header_bytes))
    return base::Error{"the table of sections" + at_text(table) + " is not inside the file"};
  std::vector<std::uint32_t> names;
  std::vector<ElfSection> sections;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto raw = read_section(file, table + i * elf_section_header_bytes);
    if (!raw) return base::Error{raw.error()};
    names.push_back(raw->name);
    sections.push_back(raw->section);
  }
  if (names_index < count) {
    const Bytes texts(sections[names_index].content);
    for (std::size_t i = 0; i < sections.size(); ++i) sections[i].name = texts.text(names[i]);
  }
  return sections;
}

void read_symbols(ElfFile& file, const ElfSection& table) {
  const Bytes names(table.link < file.sections.size() ? file.sections[table.link].content : std::string_view{});
  const Bytes bytes(table.content);
  for (std::uint64_t at = 0; at + elf_symbol_bytes <= bytes.size(); at += elf_symbol_bytes) {
    ElfSymbol symbol;
    symbol.name = names.text(*bytes.number(at, 4));
    const auto kind = static_cast<ElfSymbolKind>(*bytes.number(at + 4, 1) & 0xf);
    symbol.kind = std::ranges::find(symbol_kinds, kind) != std::end(symbol_kinds) ? kind : ElfSymbolKind::none;
    symbol.other = static_cast<std::uint8_t>(*bytes.number(at + 5, 1));
    symbol.section = static_cast<std::uint32_t>(*bytes.number(at + 6, 2));
    symbol.value = *bytes.number(at + 8, 8);
    symbol.size = *bytes.number(at + 16, 8);
    file.symbols.push_back(symbol);
  }
}

void read_relocations(ElfFile& file, const ElfSection& table) {
  const bool has_addend = table.type == elf_relocations_with_addend;
  const std::uint64_t entry_bytes = has_addend ? relocation_with_addend_bytes : relocation_bytes;
  const Bytes bytes(table.content);
  for (std::uint64_t at = 0; at + entry_bytes <= bytes.size(); at += entry_bytes) {
    ElfRelocation relocation;
    relocation.section = table.info;
    relocation.offset = *bytes.number(at, 8);
    relocation.type = static_cast<std::uint32_t>(*bytes.number(at + 8, 4));
    relocation.symbol = static_cast<std::uint32_t>(*bytes.number(at + 12, 4));
    relocation.has_addend = has_addend;
    if (has_addend) relocation.addend = static_cast<std::int64_t>(*bytes.number(at + 16, 8));
    file.relocations.push_back(relocation);
  }
}

}  // namespace

const ElfSection* ElfFile::section(std::string_view name) const {
  const auto found = std::ranges::find(sections, name, &ElfSection::name);
  return found == sections.end() ? nullptr : &*found;
}

base::Result<ElfFile> parse_elf(std::string_view bytes) {
  if (!bytes.starts_with(magic)) return base::Error{"not a 64-bit little-endian ELF file"};
  if (bytes.size() < elf_header_bytes)
    return base::Error{"the ELF header is cut off after " + std::to_string(bytes.size()) + " bytes"};
  const Bytes file(bytes);
  ElfFile out;
  out.os_abi = static_cast<std::uint8_t>(bytes[7]);
  out.abi_version = static_cast<std::uint8_t>(bytes[8]);
  out.type = static_cast<std::uint16_t>(*file.number(16, 2));
  out.machine = static_cast<std::uint16_t>(*file.number(18, 2));
  out.flags = static_cast<std::uint32_t>(*file.number(48, 4));
  auto sections = read_sections(file);
  if (!sections) return base::Error{sections.error()};
  out.sections = std::move(*sections);
  const auto symbols = std::ranges::find(out.sections, elf_symbol_table, &ElfSection::type);
  if (symbols != out.sections.end()) read_symbols(out, *symbols);
  for (const ElfSection& section : out.sections)
    if (section.type == elf_relocations || section.type == elf_relocations_with_addend) read_relocations(out, section);
  return out;
}

}  // namespace warpwalk::sass
