// Damaged cubins and arbitrary instructions: every input gives a result or one line, and nothing is read outside.
#include <random>

#include <gtest/gtest.h>

#include "core/sass/elf/cubin.h"
#include "core/sass/forms/decode.h"
#include "core/sass/text.h"
#include "tests/sass/recorded.h"

namespace warpwalk::sass {
namespace {

constexpr std::uint64_t seed = 20250;

bool is_one_line(const std::string& text) { return !text.empty() && text.find('\n') == std::string::npos; }

/// Uses everything that a cubin says about its code. Returns true if the bytes are still a cubin.
bool read_everything(std::string_view bytes) {
  const auto parsed = parse_cubin(bytes);
  if (!parsed) {
    EXPECT_TRUE(is_one_line(parsed.error())) << parsed.error();
    return false;
  }
  const Cubin& cubin = *parsed;
  for (const CubinFunction& function : cubin.functions)
    for (const Decoded& decoded : decode(cubin.architecture, function.code.substr(0, 512)))
      if (const auto* instruction = std::get_if<Instruction>(&decoded)) {
        EXPECT_FALSE(text_of(*instruction, cubin.architecture).empty());
        source_positions(cubin, function, instruction->address);
        ptx_line(function, instruction->address);
      }
  return true;
}

TEST(Damaged, MutatedCubins) {
  constexpr int rounds = 2000;
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  int still_cubins = 0;
  for (const char* const name : {"relu.sm_75", "softmax.sm_90", "module_variables.sm_80", "calls.sm_89"}) {
    const std::string original = read_data(std::string("cubins/") + name + ".gz");
    ASSERT_GT(original.size(), 4096u);
    for (int round = 0; round < rounds; ++round) {
      std::string bytes = original;
      for (std::size_t changes = 1 + below(8); changes > 0; --changes) {
        // The tables of names, symbols and sections are at the beginning.
        const std::size_t at = 32 + below(below(2) == 0 ? bytes.size() - 32 : 2048);
        bytes[at] = static_cast<char>(below(3) == 0 ? 0xff : random());
      }
      if (below(8) == 0) bytes.resize(below(bytes.size()));
      if (read_everything(bytes)) ++still_cubins;
    }
  }
  EXPECT_GT(still_cubins, rounds);
}

TEST(Damaged, RandomInstructions) {
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200000; ++round) {
    const auto architecture = static_cast<Architecture>(random() % architecture_count);
    const auto decoded = decode(architecture, Encoding{random(), random()}, random() & 0xffff0);
    if (const auto* instruction = std::get_if<Instruction>(&decoded))
      EXPECT_FALSE(text_of(*instruction, architecture).empty());
    else
      EXPECT_TRUE(is_one_line(std::get<UnknownInstruction>(decoded).what));
  }
}

}  // namespace
}  // namespace warpwalk::sass
