// Line programs written by hand: the opcodes that ptxas does not use.
#include "core/sass/elf/line_program.h"

#include <gtest/gtest.h>

namespace warpwalk::sass {
namespace {

std::string number(std::uint64_t value, unsigned count) {
  std::string bytes;
  for (unsigned i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

/// A unit with the files "sub/a.cu" and "b.cu" around a program.
std::string unit(unsigned version, const std::string& program) {
  using namespace std::string_literals;
  std::string rest = "\1"s;                   // minimum instruction length
  if (version >= 4) rest += "\1"s;            // operations per instruction
  rest += "\1\373\16\12"s;                    // is_stmt, line base -5, line range 14, opcode base 10
  rest += "\0\1\1\1\1\0\0\0\1"s;              // operands of the standard opcodes
  rest += "sub\0\0"s;                         // folders
  rest += "a.cu\0\1\7\310\1b.cu\0\0\0\0\0"s;  // files: folder, time, size
  const std::string body = number(version, 2) + number(rest.size(), 4) + rest + program;
  return number(body.size(), 4) + body;
}

TEST(LineProgram, StandardAndExtendedOpcodes) {
  using namespace std::string_literals;
  const std::string program =
      "\0\11\2\0\1\0\0\0\0\0\0"s  // address 0x100
      "\3\11\1"s                  // line + 9, a row
      "\4\2\5\7\11\20\0\1"s       // file 2, column 7, address + 0x10, a row
      "\0\3\220\1\0\3\2\1"s       // inlined at row 1, line + 2, a row
      "\10"s                      // address + (255 - 10) / 14
      "\0\1\1"s;                  // end
  for (const unsigned version : {2u, 3u, 4u}) {
    const LineProgram parsed = parse_line_program(unit(version, program));
    ASSERT_EQ(parsed.files, (std::vector<LineFile>{{"sub/a.cu", 200}, {"b.cu", 0}}));
    ASSERT_EQ(parsed.sequences.size(), 1u);
    const std::vector<LineRow>& rows = parsed.sequences.front().rows;
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[0], (LineRow{.address = 0x100, .file = 0, .line = 10}));
    EXPECT_EQ(rows[1], (LineRow{.address = 0x110, .file = 1, .line = 10}));
    EXPECT_EQ(rows[2], (LineRow{.address = 0x110, .file = 1, .line = 12, .inlined_at = 0, .function = 0}));
    EXPECT_EQ(rows[3].address, 0x121u);
    EXPECT_TRUE(rows[3].ends);
  }
}

TEST(LineProgram, DamagedUnitsEndTheTable) {
  EXPECT_TRUE(parse_line_program("").sequences.empty());
  EXPECT_TRUE(parse_line_program(std::string(64, '\xff')).sequences.empty());
  EXPECT_TRUE(parse_line_program(unit(5, "")).sequences.empty()) << "version 5 has another header";
  const std::string good = unit(2, {"\0\11\2\0\0\0\0\0\0\0\0\1\0\1\1", 15});
  EXPECT_EQ(parse_line_program(good + good.substr(0, 20)).sequences.size(), 1u);
}

}  // namespace
}  // namespace warpwalk::sass
