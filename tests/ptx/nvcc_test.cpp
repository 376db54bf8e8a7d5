// Output of nvcc 13.0 for four GPUs, with line information (-lineinfo) and for a debugger (-G).
#include <set>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/ptx/parsing.h"
#include "tests/ptx/walk.h"

namespace warpwalk::ptx {
namespace {

/// Counts instructions by a simple rule: lines of a body whose first word after the predicate is not a label, a
/// directive or part of the argument list of a call.
std::size_t instructions_by_eye(std::string_view text) {
  std::size_t count = 0;
  for (const std::string& line : lines_of(text)) {
    const std::size_t start = line.find_first_not_of(" \t{");
    if (start == std::string::npos) continue;
    std::string rest = line.substr(start);
    if (rest[0] == '@') rest = rest.substr(rest.find(' ') + 1);
    const std::string word = rest.substr(0, rest.find_first_of(" \t;,"));
    if (rest[0] < 'a' || rest[0] > 'z' || line.find(':') < line.find(word) || rest.find(" : ") != std::string::npos)
      continue;
    static const std::set<std::string> bare{"ret", "exit", "trap", "call", "bra"};
    if (word.find('.') != std::string::npos || bare.count(word) != 0) ++count;
  }
  return count;
}

class PtxOfNvcc : public testing::TestWithParam<const char*> {};

TEST_P(PtxOfNvcc, IsReadWhole) {
  const std::string text = file_text(data_file(GetParam()));
  const Module module = parsed(text);
  EXPECT_EQ(flaw_of(module).value_or("none"), "none");
  std::size_t instructions = 0;
  for (const Function& function : module.functions) instructions += function.instructions.size();
  EXPECT_GT(instructions, 50u);
  EXPECT_EQ(instructions, instructions_by_eye(text));
}

INSTANTIATE_TEST_SUITE_P(Files, PtxOfNvcc,
                         testing::Values("features.sm_75.ptx", "features.sm_80.ptx", "features.sm_89.ptx",
                                         "features.sm_90.lineinfo.ptx", "debug.sm_90.ptx"));

TEST(PtxOfNvccContents, TheEntryAndWhatItUses) {
  const Module module = parsed(file_text(data_file("features.sm_80.ptx")));
  EXPECT_EQ(module.target, "sm_80");
  const Function* const entry = module.entry("everything");
  ASSERT_NE(entry, nullptr);
  ASSERT_EQ(entry->parameters.size(), 5u);
  EXPECT_EQ(entry->parameters[0].bytes, 28u) << "sizeof(Node)";
  EXPECT_EQ(entry->parameters[1].offset, 32u);
  EXPECT_EQ(entry->maxntid, (std::array<std::uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(entry->minnctapersm, 2u);
  std::uint64_t shared = 0;
  for (const Variable& variable : entry->variables)
    if (variable.space == Space::shared) shared += variable.bytes;
  EXPECT_EQ(shared, 16u * 17u * 4u);
  std::set<std::string> undefined;
  for (const Function& function : module.functions)
    if (!function.defined) undefined.insert(function.name);
  EXPECT_EQ(undefined, (std::set<std::string>{"vprintf", "__assertfail"}));
}

TEST(PtxOfNvccContents, VariablesHoldWhatTheSourceSays) {
  const Module module = parsed(file_text(data_file("features.sm_80.ptx")));
  const auto variable = [&](const std::string& name) {
    for (const Variable& candidate : module.variables)
      if (candidate.name == name) return candidate;
    ADD_FAILURE() << name;
    return Variable{};
  };
  EXPECT_EQ(variable("counter").initial, (std::vector<std::uint8_t>{7, 0, 0, 0}));
  EXPECT_EQ(variable("coefficients").space, Space::constant);
  EXPECT_EQ(variable("coefficients").initial.at(2), 0x80) << "1.0f is 00 00 80 3f";
  EXPECT_EQ(variable("words").relocations.size(), 2u);
  EXPECT_EQ(variable("operations").relocations.size(), 2u);
  EXPECT_TRUE(variable("operations").relocations.at(0).function);
  EXPECT_EQ(variable("packed").bytes, 9u);
  EXPECT_EQ(variable("packed").relocations.size(), 8u);
  EXPECT_TRUE(variable("inside").relocations.at(0).generic);
  EXPECT_EQ(variable("table").bytes, 48u);
}

TEST(PtxOfNvccContents, LinesOfTheSource) {
  const Module module = parsed(file_text(data_file("features.sm_90.lineinfo.ptx")));
  const Function* const entry = module.entry("everything");
  ASSERT_NE(entry, nullptr);
  const std::vector<std::string> source = lines_of(file_text(data_file("features.cu")));
  // The atomicAdd of case 6 is inlined from a header. Its call site is in the source file.
  bool found = false;
  for (const Instruction& instruction : entry->instructions) {
    if (instruction.location < 0) continue;
    const Location& place = entry->locations.at(static_cast<std::size_t>(instruction.location));
    if (instruction.opcode != Opcode::atom || instruction.action != Action::add || place.inlined_at < 0) continue;
    const Location& call = entry->locations.at(static_cast<std::size_t>(place.inlined_at));
    EXPECT_THAT(module.files.at(place.file).name, ::testing::HasSubstr("device_atomic_functions"));
    EXPECT_TRUE(module.files.at(call.file).name.ends_with("features.cu"));
    EXPECT_THAT(source.at(call.line - 1), ::testing::HasSubstr("atomicAdd"));
    found = true;
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace warpwalk::ptx
