#include "core/sass/elf/write_lines.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/sass/elf/bytes.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/elf/elf.h"
#include "core/sass/encoding.h"

namespace warpwalk::sass {
namespace {

void put_number(std::string& to, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) to.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

void set_number(std::string& in, std::uint64_t at, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) in[at + i] = static_cast<char>(value >> (8 * i) & 0xff);
}

void put_unsigned(std::string& to, std::uint64_t value) {
  do {
    const std::uint64_t rest = value >> 7;
    put_number(to, (value & 0x7f) | (rest != 0 ? 0x80U : 0U), 1);
    value = rest;
  } while (value != 0);
}

void put_signed(std::string& to, std::int64_t value) {
  for (bool more = true; more; value >>= 7) {
    const auto low = static_cast<std::uint64_t>(value & 0x7f);
    more = (value >> 7) != ((low & 0x40) != 0 ? -1 : 0);
    put_number(to, low | (more ? 0x80U : 0U), 1);
  }
}

/// Writes a unit of DWARF 2 with the rows of functions.
class LineWriter {
 public:
  /// Sizes of files are kept: they show whether a source has changed.
  explicit LineWriter(std::string_view names, const std::vector<LineFile>& files) : names_(names), files_(files) {}

  /// Returns the place of the function's address relative to the first opcode.
  std::uint64_t add_function(const std::vector<std::vector<WrittenPosition>>& positions) {
    put_number(opcodes_, 0x020900, 3);  // extended, 9 bytes: set the address
    const std::uint64_t place = opcodes_.size();
    put_number(opcodes_, 0, 8);
    address_ = at_ = 0;
    line_ = file_ = 1;
    rows_ = 0;
    context_ = {0, 0};
    calls_.clear();
    const std::vector<WrittenPosition>* before = nullptr;
    for (const std::vector<WrittenPosition>& here : positions) {
      if (before == nullptr ? !here.empty() : here != *before) {
        add_rows(here);
        before = &here;
      }
      at_ += instruction_bytes;
    }
    move_address();
    put_number(opcodes_, 0x010100, 3);  // end of the sequence
    return place;
  }

  /// The section, and the offset of the first opcode in it.
  std::pair<std::string, std::uint64_t> finish() const {
    // Shortest instruction, is_stmt, line base and range, and the operands of nine standard opcodes, as NVIDIA's.
    constexpr std::string_view constants("\x01\x01\xfb\x0e\x0a\x00\x01\x01\x01\x01\x00\x00\x00\x01", 14);
    std::string header(constants);
    header.push_back('\0');  // no folders: names have them
    for (const LineFile& file : files_) {
      header.append(file.name).push_back('\0');
      put_unsigned(header, 0);
      put_unsigned(header, 0);
      put_unsigned(header, file.bytes);
    }
    header.push_back('\0');
    std::string section;
    put_number(section, 2 + 4 + header.size() + opcodes_.size(), 4);
    put_number(section, 2, 2);
    put_number(section, header.size(), 4);
    section += header;
    const std::uint64_t first = section.size();
    return {section + opcodes_, first};
  }

  const std::string& names() const { return names_; }

 private:
  using Context = std::pair<std::uint64_t, std::uint64_t>;  // the row of the call from 1, the function's name

  /// Rows of calls lie before those that are inlined there, at the same address, which the last one has.
  void add_rows(const std::vector<WrittenPosition>& positions) {
    if (positions.empty()) {
      add_row({}, {0, 0});
      return;
    }
    Context context{0, 0};
    for (std::size_t i = positions.size(); i-- > 1;) {
      const auto [call, added] = calls_.try_emplace({positions[i].file, positions[i].line, context}, rows_ + 1);
      if (added) add_row(positions[i], context);
      context = {call->second, name_of(positions[i - 1].function)};
    }
    add_row(positions.front(), context);
  }

  void add_row(const WrittenPosition& position, const Context& context) {
    move_address();
    if (context != context_) {
      std::string operands("\x90");
      put_unsigned(operands, context.first);
      put_unsigned(operands, context.second);
      opcodes_.push_back('\0');
      put_unsigned(opcodes_, operands.size());
      opcodes_ += operands;
      context_ = context;
    }
    if (const std::uint64_t file = number_of(position.file); file != file_) {
      put_number(opcodes_, 4, 1);
      put_unsigned(opcodes_, file);
      file_ = file;
    }
    if (position.line != line_) {
      put_number(opcodes_, 3, 1);
      put_signed(opcodes_, static_cast<std::int64_t>(position.line) - static_cast<std::int64_t>(line_));
      line_ = position.line;
    }
    put_number(opcodes_, 1, 1);
    ++rows_;
  }

  void move_address() {
    if (at_ == address_) return;
    put_number(opcodes_, 2, 1);
    put_unsigned(opcodes_, at_ - address_);
    address_ = at_;
  }

  std::uint64_t number_of(const std::string& file) {
    if (file.empty()) return file_;  // no line: any file
    auto known = std::ranges::find(files_, file, &LineFile::name);
    if (known == files_.end()) known = files_.insert(files_.end(), {file, 0});
    return static_cast<std::uint64_t>(known - files_.begin()) + 1;
  }

  std::uint64_t name_of(const std::string& function) {
    const auto [known, added] = offsets_.try_emplace(function, names_.size());
    if (added) names_.append(function).push_back('\0');
    return known->second;
  }

  std::string opcodes_, names_;
  std::vector<LineFile> files_;
  std::map<std::string, std::uint64_t> offsets_;
  std::map<std::tuple<std::string, std::uint32_t, Context>, std::uint64_t> calls_;
  std::uint64_t address_ = 0, at_ = 0, rows_ = 0, line_ = 1, file_ = 1;
  Context context_;
};

/// Replaces contents of sections: they are appended, with a new table of sections.
class SectionWriter {
 public:
  SectionWriter(std::string_view bytes, const ElfFile& file) : out_(bytes) {
    const Bytes old(bytes);
    for (std::size_t i = 0; i < file.sections.size(); ++i)
      table_ += bytes.substr(*old.number(40, 8) + i * elf_section_header_bytes, elf_section_header_bytes);
  }

  void replace(std::size_t section, std::string_view content) {
    set_number(table_, section * elf_section_header_bytes + 24, out_.size(), 8);
    set_number(table_, section * elf_section_header_bytes + 32, content.size(), 8);
    out_ += content;
    out_.resize((out_.size() + 7) / 8 * 8);
  }

  /// Adds a section of strings. `name`: offset in the section of names.
  void add_strings(std::uint32_t name, std::string_view content) {
    const std::size_t index = table_.size() / elf_section_header_bytes;
    std::string header;
    put_number(header, name, 4);
    put_number(header, 1, 4);  // SHT_PROGBITS
    header.resize(48);
    put_number(header, 1, 8);  // alignment
    header.resize(elf_section_header_bytes);
    table_ += header;
    replace(index, content);
  }

  std::string finish() {
    set_number(out_, 40, out_.size(), 8);
    set_number(out_, 60, table_.size() / elf_section_header_bytes, 2);
    return out_ + table_;
  }

 private:
  std::string out_, table_;
};

using InstructionPositions = std::vector<std::vector<WrittenPosition>>;

InstructionPositions positions_of(const Cubin& cubin, const CubinFunction& function) {
  InstructionPositions all;
  for (std::uint64_t at = 0; at < function.code.size(); at += instruction_bytes) {
    std::vector<WrittenPosition>& here = all.emplace_back();
    for (const SourcePosition& position : source_positions(cubin, function, at))
      here.push_back({std::string(position.file), position.line, std::string(position.function)});
  }
  return all;
}

std::string rewritten(std::string_view bytes, const Cubin& cubin, const ElfFile& file, std::string_view function,
                      const InstructionPositions& positions) {
  constexpr std::size_t most_sections = 0xff00;  // more are counted elsewhere
  const ElfSection* const lines = file.section(".debug_line");
  if (lines == nullptr || file.sections.size() >= most_sections) return {};
  const auto line_index = static_cast<std::uint32_t>(lines - file.sections.data());
  const auto table = std::ranges::find_if(file.sections, [&](const ElfSection& one) {
    return one.info == line_index && one.type == elf_relocations_with_addend;
  });
  const auto texts = static_cast<std::size_t>(*Bytes(bytes).number(62, 2));
  if (table == file.sections.end() || texts >= file.sections.size()) return {};

  LineWriter writer(cubin.names.empty() ? std::string_view("\0", 1) : cubin.names, cubin.files);
  std::vector<std::pair<std::uint64_t, const ElfRelocation*>> places;
  bool found = false;
  for (const CubinFunction& one : cubin.functions) {
    if (one.source_lines.empty()) continue;
    const auto address = std::ranges::find_if(file.relocations, [&](const ElfRelocation& relocation) {
      return relocation.section == line_index && relocation.symbol < file.symbols.size() &&
             file.symbols[relocation.symbol].section == file.symbols[one.symbol].section;
    });
    if (address == file.relocations.end()) return {};
    found = found || one.name == function;
    places.emplace_back(writer.add_function(one.name == function ? positions : positions_of(cubin, one)), &*address);
  }
  if (!found) return {};
  const auto [section, first] = writer.finish();
  std::string relocations;
  for (const auto& [place, old] : places) {
    put_number(relocations, first + place, 8);
    put_number(relocations, old->type, 4);
    put_number(relocations, old->symbol, 4);
    put_number(relocations, -file.symbols[old->symbol].value, 8);
  }
  SectionWriter out(bytes, file);
  out.replace(line_index, section);
  out.replace(static_cast<std::size_t>(table - file.sections.begin()), relocations);
  if (const ElfSection* const names = file.section(".debug_str")) {
    out.replace(static_cast<std::size_t>(names - file.sections.data()), writer.names());
  } else {
    std::string section_names(file.sections[texts].content);
    const auto offset = static_cast<std::uint32_t>(section_names.size());
    out.replace(texts, section_names.append(".debug_str").append(1, '\0'));
    out.add_strings(offset, writer.names());
  }
  return out.finish();
}

}  // namespace

std::string with_source_lines(std::string_view cubin, std::string_view function,
                              const InstructionPositions& positions) {
  const auto parsed = parse_cubin(cubin);
  const auto file = parse_elf(cubin);
  std::string written = parsed && file ? rewritten(cubin, *parsed, *file, function, positions) : std::string();
  return written.empty() ? std::string(cubin) : written;
}

}  // namespace warpwalk::sass
