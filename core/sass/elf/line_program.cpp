#include "core/sass/elf/line_program.h"

#include <algorithm>
#include <optional>

#include "core/sass/elf/bytes.h"

// DWARF Debugging Information Format, version 4, section 6.2.
namespace warpwalk::sass {
namespace {

enum Standard : std::uint8_t {
  copy = 1,
  advance_pc,
  advance_line,
  set_file,
  set_column,
  negate_stmt,
  set_basic_block,
  const_add_pc,
  fixed_advance_pc
};
enum Extended : std::uint8_t { end_sequence = 1, set_address = 2, inlined_call = 0x90 };

constexpr std::uint64_t first_version = 2, last_version = 4;
constexpr std::size_t max_rows = 1u << 22;  // bounds the memory that damaged bytes can request

/// Reads forward; after a read past the end, ok() is false and numbers are 0.
class Cursor {
 public:
  Cursor(std::string_view bytes, std::uint64_t at) : bytes_(bytes), at_(at) {}

  bool ok() const { return ok_; }
  bool at_end() const { return !ok_ || at_ >= bytes_.size(); }
  std::uint64_t place() const { return at_; }
  void move_to(std::uint64_t at) { at_ = at; }

  std::uint64_t number(unsigned count) {
    const auto value = bytes_.number(at_, count);
    ok_ = ok_ && value.has_value();
    at_ += count;
    return ok_ ? *value : 0;
  }
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; ok_; shift += 7) {
      const std::uint64_t byte = number(1);
      if (shift < 64) value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint64_t byte = 0;
    do {
      byte = number(1);
      if (shift < 64) value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (ok_ && (byte & 0x80) != 0);
    if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }
  std::string_view text() {
    const std::string_view found = bytes_.text(at_);
    at_ += found.size() + 1;
    ok_ = ok_ && at_ <= bytes_.size();
    return found;
  }

 private:
  Bytes bytes_;
  std::uint64_t at_;
  bool ok_ = true;
};

struct Header {
  std::uint64_t program = 0;  ///< offset of the first opcode
  std::uint64_t min_instruction = 1;
  std::int64_t line_base = 0;
  std::uint64_t line_range = 1;
  std::uint64_t opcode_base = 1;
  std::vector<std::uint8_t> operand_counts;  ///< of the standard opcodes
};

std::optional<Header> read_header(Cursor& cursor, std::vector<LineFile>& files) {
  Header header;
  const std::uint64_t version = cursor.number(2);
  if (!cursor.ok() || version < first_version || version > last_version) return std::nullopt;
  const std::uint64_t length = cursor.number(4);
  header.program = cursor.place() + length;
  header.min_instruction = cursor.number(1);
  if (version >= 4) cursor.number(1);  // operations per instruction: 1
  cursor.number(1);                    // default of is_stmt
  header.line_base = static_cast<std::int8_t>(cursor.number(1));
  header.line_range = cursor.number(1);
  header.opcode_base = cursor.number(1);
  if (!cursor.ok() || header.line_range == 0 || header.opcode_base == 0) return std::nullopt;
  for (std::uint64_t i = 1; i < header.opcode_base; ++i)
    header.operand_counts.push_back(static_cast<std::uint8_t>(cursor.number(1)));
  std::vector<std::string_view> folders{""};
  while (cursor.ok() && cursor.place() < header.program) {
    const std::string_view folder = cursor.text();
    if (folder.empty()) break;
    folders.push_back(folder);
  }
  while (cursor.ok() && cursor.place() < header.program) {
    const std::string_view name = cursor.text();
    if (name.empty()) break;
    const std::uint64_t folder = cursor.unsigned_leb();
    cursor.unsigned_leb();  // time
    const std::uint64_t bytes = cursor.unsigned_leb();
    std::string path = folder < folders.size() && !folders[folder].empty() ? std::string(folders[folder]) + "/" : "";
    files.push_back({path + std::string(name), bytes});
  }
  if (!cursor.ok()) return std::nullopt;
  return header;
}

/// Runs the program of one unit.
class Machine {
 public:
  Machine(const Header& header, std::uint32_t first_file, LineProgram& out)
      : header_(header), first_file_(first_file), out_(out) {}

  /// Returns false if the program is damaged.
  bool run(Cursor& cursor, std::uint64_t end) {
    cursor.move_to(header_.program);
    while (cursor.ok() && cursor.place() < end && rows_ < max_rows) step(cursor);
    if (!sequence_.rows.empty()) finish();
    return cursor.ok();
  }

 private:
  void step(Cursor& cursor) {
    const std::uint64_t opcode = cursor.number(1);
    if (opcode >= header_.opcode_base) {
      advance_special(opcode);
      return;
    }
    switch (opcode) {
      case 0: extended(cursor); break;
      case copy: append(false); break;
      case advance_pc: address_ += cursor.unsigned_leb() * header_.min_instruction; break;
      case advance_line: line_ += static_cast<std::uint64_t>(cursor.signed_leb()); break;
      case set_file: file_ = cursor.unsigned_leb(); break;
      case set_column: cursor.unsigned_leb(); break;
      case negate_stmt:
      case set_basic_block: break;
      case const_add_pc: address_ += (255 - header_.opcode_base) / header_.line_range * header_.min_instruction; break;
      case fixed_advance_pc: address_ += cursor.number(2); break;
      default:
        for (std::uint8_t i = header_.operand_counts[opcode - 1]; i > 0; --i) cursor.unsigned_leb();
    }
  }

  void advance_special(std::uint64_t opcode) {
    const std::uint64_t adjusted = opcode - header_.opcode_base;
    address_ += adjusted / header_.line_range * header_.min_instruction;
    line_ += static_cast<std::uint64_t>(header_.line_base) + adjusted % header_.line_range;
    append(false);
  }

  void extended(Cursor& cursor) {
    const std::uint64_t length = cursor.unsigned_leb();
    const std::uint64_t end = cursor.place() + length;
    if (length == 0) return;
    switch (cursor.number(1)) {
      case end_sequence:
        append(true);
        finish();
        break;
      case set_address:
        sequence_.address_place = cursor.place();
        if (length > 1 && length <= 9) address_ = cursor.number(static_cast<unsigned>(length - 1));
        break;
      case inlined_call:
        context_ = cursor.unsigned_leb();
        function_ = cursor.unsigned_leb();
        break;
      default: break;
    }
    cursor.move_to(end);
  }

  void append(bool ends) {
    LineRow row;
    row.address = address_;
    row.file = file_ == 0 ? first_file_ : first_file_ + static_cast<std::uint32_t>(file_) - 1;
    row.line = static_cast<std::uint32_t>(line_);
    // The call's row comes before the rows inlined at it, which also excludes circles.
    if (context_ > 0 && context_ <= sequence_.rows.size()) {
      row.inlined_at = static_cast<std::int32_t>(context_ - 1);
      row.function = static_cast<std::int64_t>(function_);
    }
    row.ends = ends;
    sequence_.rows.push_back(row);
    ++rows_;
  }

  void finish() {
    out_.sequences.push_back(std::move(sequence_));
    sequence_ = {};
    address_ = context_ = 0;
    line_ = file_ = 1;
  }

  const Header& header_;
  std::uint32_t first_file_;
  LineProgram& out_;
  LineSequence sequence_;
  std::uint64_t address_ = 0, line_ = 1, file_ = 1, context_ = 0, function_ = 0;
  std::size_t rows_ = 0;
};

}  // namespace

LineProgram parse_line_program(std::string_view section) {
  LineProgram out;
  for (Cursor cursor(section, 0); !cursor.at_end();) {
    const std::uint64_t length = cursor.number(4);
    const std::uint64_t end = cursor.place() + length;
    if (!cursor.ok() || end > section.size()) break;
    const auto first_file = static_cast<std::uint32_t>(out.files.size());
    const auto header = read_header(cursor, out.files);
    if (!header || !Machine(*header, first_file, out).run(cursor, end)) break;
    cursor.move_to(end);
  }
  return out;
}

}  // namespace warpwalk::sass
