#include "core/gpu/timing/register_file.h"

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

InstructionTiming reading(std::array<std::uint8_t, 3> sources, std::uint8_t reuse = 0) {
  InstructionTiming instruction;
  instruction.sources = sources;
  instruction.reuse = reuse;
  return instruction;
}

/// Cycles from the first to the last of `count` such instructions, one per cycle at most.
std::int64_t cycles_to_read(const InstructionTiming& instruction, int count) {
  RegisterFile registers;
  std::int64_t now = 0;
  for (int i = 1; i < count; ++i) {
    registers.read(instruction, 0, now);
    now = registers.ready(instruction, 0, now + 1, 3);
  }
  return now;
}

TEST(RegisterFile, OneRegisterOfEachBankCanBeReadPerCycle) { EXPECT_EQ(cycles_to_read(reading({2, 3, 255}), 100), 99); }

TEST(RegisterFile, TwoRegistersOfOneBankTakeTwoCycles) {
  EXPECT_NEAR(static_cast<double>(cycles_to_read(reading({2, 4, 255}), 100)), 198, 3);
}

TEST(RegisterFile, ARegisterThatSeveralOperandsNameIsReadOnce) {
  EXPECT_EQ(cycles_to_read(reading({2, 2, 2}), 100), 99);
}

TEST(RegisterFile, AReusedOperandIsNotReadAgain) { EXPECT_EQ(cycles_to_read(reading({2, 4, 255}, 2), 100), 99); }

TEST(RegisterFile, AnotherWarpDoesNotSeeTheCachedOperand) {
  RegisterFile registers;
  registers.read(reading({2, 4, 6}, 7), 0, 0);  // keeps the port of bank 0 busy until cycle 3
  EXPECT_EQ(registers.ready(reading({2, 4, 6}), 0, 1, 3), 1) << "all operands are cached";
  EXPECT_EQ(registers.ready(reading({2, 4, 6}), 1, 1, 3), 3) << "three more reads of one bank";
}

}  // namespace
}  // namespace warpwalk::gpu
