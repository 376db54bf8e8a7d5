// The reader beside what cuda-gdb 13.0 says of the same dumps: exception, instruction, source line, where the threads
// are, registers.
#include <algorithm>
#include <charconv>
#include <map>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "core/crash/exception.h"
#include "tests/crash/sample.h"

namespace warpwalk::crash {
namespace {

constexpr const char* sample_names[] = {
    "assertion", "barrier", "barrier_light", "cluster",      "freed",      "freed_light", "gather_triton",
    "jump",      "lanes",   "local",         "lock",         "lock_light", "mbarrier",    "misaligned",
    "named",     "null",    "shared",        "shared_light", "spin",       "stack",       "trap"};

std::uint64_t hex(const std::string& text) { return std::stoull(text, nullptr, 16); }

/// The first match of a pattern in a text; empty without one.
std::smatch first_match(const std::string& text, const char* pattern) {
  std::smatch match;
  std::regex_search(text, match, std::regex(pattern));
  return match;
}

/// cuda-gdb writes no space after a comma, and no comma before a bracket.
std::string without_separators(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == ','; });
  return text;
}

class CudaGdb : public ::testing::TestWithParam<const char*> {
 protected:
  CudaGdb() : gdb_(sample_bytes(std::string(GetParam()) + ".gdb")), sample_(GetParam()) {}

  const DumpDevice& device() const { return sample_.dump.devices.front(); }

  void compare_exception();
  void compare_instruction_that_failed();
  void compare_machine_code();
  void compare_places_of_threads();
  void compare_registers();

  std::string gdb_;
  Sample sample_;
};

void CudaGdb::compare_exception() {
  const std::smatch name = first_match(gdb_, "CUDA Exception: ([^\n]*)");
  if (name.empty()) return;
  ASSERT_TRUE(sample_.crash);
  // Of this one, the header of cuda-gdb and its messages have different names.
  const std::string expected =
      name[1] == "Cluster target block not present" ? "Cluster Block Not Present" : name[1].str();
  EXPECT_EQ(sample_.crash->exception.name, expected);
}

void CudaGdb::compare_instruction_that_failed() {
  const std::smatch place = first_match(gdb_, "triggered at PC 0x([0-9a-f]+)(  [^\n]*\\(([^ ()]+):([0-9]+)\\))?");
  if (place.empty()) return;
  ASSERT_TRUE(sample_.crash);
  EXPECT_EQ(sample_.crash->pc, hex(place[1]));
  EXPECT_TRUE(sample_.crash->pc_is_exact);
  if (!place[2].matched) {
    EXPECT_FALSE(sample_.crash->place);
    return;
  }
  ASSERT_TRUE(sample_.crash->place);
  const auto sources = sample_.crash->place->sources();
  ASSERT_FALSE(sources.empty());
  EXPECT_TRUE(sources.front().file.ends_with("/" + place[3].str())) << sources.front().file;
  EXPECT_EQ(std::to_string(sources.front().line), place[4].str());
}

void CudaGdb::compare_machine_code() {
  static const std::regex line("0x([0-9a-f]+) <[^>]*>:\t([^\n]+)");
  std::size_t checked = 0;
  for (std::sregex_iterator at(gdb_.begin(), gdb_.end(), line), end; at != end; ++at) {
    const std::string expected = (*at)[2];
    if (expected.find("BRA") != std::string::npos || expected.find("COLLECTIVE") != std::string::npos)
      continue;  // their targets are addresses there, and offsets in the function here
    const auto place = sample_.codes.front().at(hex((*at)[1]));
    ASSERT_TRUE(place) << (*at)[1].str();
    EXPECT_EQ(without_separators(place->text()), without_separators(expected));
    ++checked;
  }
  const bool has_none = std::string(GetParam()) == "jump" || std::string(GetParam()) == "mbarrier";
  EXPECT_EQ(checked == 0, has_none);  // no code of a kernel, only branches
}

void CudaGdb::compare_places_of_threads() {
  static const std::regex row(" ([0-9]+) 0x([0-9a-f]{16}) +(\\S*) +([0-9]+)\n");
  std::map<std::uint64_t, std::size_t> expected, threads;
  for (std::sregex_iterator at(gdb_.begin(), gdb_.end(), row), end; at != end; ++at) {
    expected[hex((*at)[2])] += std::stoul((*at)[1]);
    const auto place = sample_.codes.front().at(hex((*at)[2]));
    if ((*at)[3].length() == 0) continue;
    ASSERT_TRUE(place);
    ASSERT_FALSE(place->sources().empty());
    EXPECT_EQ(place->sources().front().file, (*at)[3].str());
    EXPECT_EQ(std::to_string(place->sources().front().line), (*at)[4].str());
  }
  for (const DumpSm& sm : device().sms)
    for (const DumpBlock& block : sm.blocks)
      for (const DumpWarp& warp : block.warps)
        for (const DumpLane& lane : warp.lanes) ++threads[lane.pc];
  EXPECT_EQ(threads, expected);
}

void CudaGdb::compare_registers() {
  const std::smatch focus = first_match(gdb_, "sm ([0-9]+), warp ([0-9]+), lane ([0-9]+)\\]");
  ASSERT_FALSE(focus.empty());
  const auto sm = std::ranges::find(device().sms, std::stoul(focus[1]), &DumpSm::sm);
  ASSERT_NE(sm, device().sms.end());
  for (const DumpBlock& block : sm->blocks)
    for (const DumpWarp& warp : block.warps)
      for (const DumpLane& lane : warp.lanes) {
        if (warp.warp != std::stoul(focus[2]) || lane.lane != std::stoul(focus[3])) continue;
        for (unsigned number = 0; number < 8; ++number) {
          const std::smatch value = first_match(gdb_, ("R" + std::to_string(number) + " 0x([0-9a-f]+)").c_str());
          ASSERT_FALSE(value.empty());
          EXPECT_EQ(lane.registers.at(number), hex(value[1])) << "R" << number;
        }
        return;
      }
  FAIL() << "the dump does not have the thread";
}

TEST_P(CudaGdb, SaysTheSame) {
  compare_exception();
  compare_instruction_that_failed();
  compare_machine_code();
  compare_places_of_threads();
  compare_registers();
}

INSTANTIATE_TEST_SUITE_P(Samples, CudaGdb, ::testing::ValuesIn(sample_names),
                         [](const auto& sample) { return std::string(sample.param); });

}  // namespace
}  // namespace warpwalk::crash
