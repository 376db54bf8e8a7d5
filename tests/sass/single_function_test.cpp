// A cubin with one function of another: everything about the function stays, everything about others goes.
#include "core/sass/elf/single_function.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/sass/elf/cubin.h"
#include "tests/sass/recorded.h"

namespace warpwalk::sass {
namespace {

TEST(SingleFunction, HasAllThatTheFunctionNeeds) {
  for (const char* const name : {"amax.sm_90.gz", "amax.sm_80.gz", "calls.sm_90.gz", "constant_memory.sm_75.gz"}) {
    const std::string whole_bytes = read_data(std::string("cubins/") + name);
    const auto whole_parsed = parse_cubin(whole_bytes);
    const Cubin& whole = *whole_parsed;
    for (const CubinFunction& function : whole.functions) {
      const std::string bytes = single_function(whole_bytes, function.name);
      const auto parsed = parse_cubin(bytes);
      ASSERT_TRUE(parsed) << name << ": " << parsed.error();
      const Cubin& cubin = *parsed;
      if (whole.functions.size() > 1) {
        EXPECT_LE(bytes.size(), whole_bytes.size());
      }
      EXPECT_EQ(cubin.architecture, whole.architecture);
      const auto kept = std::ranges::find(cubin.functions, function.name, &CubinFunction::name);
      ASSERT_NE(kept, cubin.functions.end()) << name;
      const CubinFunction& one = *kept;
      EXPECT_EQ(one.name, function.name);
      EXPECT_EQ(one.is_entry, function.is_entry);
      EXPECT_EQ(one.symbol, function.symbol);
      EXPECT_EQ(one.code, function.code);
      EXPECT_EQ(one.registers, function.registers);
      EXPECT_EQ(one.barriers, function.barriers);
      EXPECT_EQ(one.shared_bytes, function.shared_bytes);
      EXPECT_EQ(one.min_stack_bytes, function.min_stack_bytes);
      EXPECT_EQ(one.parameter_base, function.parameter_base);
      ASSERT_EQ(one.parameters.size(), function.parameters.size());
      ASSERT_EQ(one.constants.size(), function.constants.size());
      for (std::size_t i = 0; i < one.constants.size(); ++i)
        EXPECT_EQ(one.constants[i].bytes, function.constants[i].bytes);
      EXPECT_EQ(one.callees.size(), function.callees.size());
      for (std::uint64_t address = 0; address < function.code.size(); address += 16) {
        EXPECT_EQ(source_positions(cubin, one, address), source_positions(whole, function, address)) << address;
        EXPECT_EQ(ptx_line(one, address), ptx_line(function, address)) << address;
      }
    }
    EXPECT_TRUE(single_function(whole_bytes, "not_there").empty());
  }
}

TEST(SingleFunction, HasWhatTheFunctionCallsAndNoOther) {
  const std::string whole = read_data("../../debug/variables/debug.cubin.gz");
  const auto names_of = [&](std::string_view function) {
    std::vector<std::string> names;
    const std::string bytes = single_function(whole, function);
    const auto cubin = parse_cubin(bytes);
    for (const CubinFunction& of : cubin->functions) names.emplace_back(of.name);
    std::ranges::sort(names);
    return names;
  };
  EXPECT_EQ(names_of("weighted"), (std::vector<std::string>{"_Z4deepPKfi", "_Z5scalefi", "weighted"}));
  EXPECT_EQ(names_of("_Z4deepPKfi"), (std::vector<std::string>{"_Z4deepPKfi", "_Z5scalefi"}));
  EXPECT_EQ(names_of("_Z5scalefi"), (std::vector<std::string>{"_Z5scalefi"}));
}

TEST(SingleFunction, AcceptsAnyBytes) {
  const std::string whole = read_data("cubins/amax.sm_90.gz");
  const auto parsed = parse_cubin(whole);
  const std::string name(parsed->functions.front().name);
  EXPECT_TRUE(single_function("", name).empty());
  for (std::size_t size = 0; size < whole.size(); size += 997) single_function(whole.substr(0, size), name);
  std::uint64_t state = 1;
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = whole;
    for (int k = 0; k < 4; ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      // Mostly in the headers, which lie at both ends.
      const std::size_t at = (state >> 33) % 4096;
      damaged[k % 2 == 0 ? damaged.size() - 1 - at : at % 64] = static_cast<char>(state >> 20);
    }
    single_function(damaged, name);
  }
}

}  // namespace
}  // namespace warpwalk::sass
