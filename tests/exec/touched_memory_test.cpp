#include "core/gpu/exec/memory/touched_memory.h"

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

using Kind = MemoryObserver::Kind;

/// A buffer of 256 bytes at 0x1000, and a variable that is not a buffer.
struct Touched {
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(256), variable = std::vector<std::uint8_t>(64);
  Memory memory;
  Launch launch;
  std::optional<TouchedMemory> touched;
  Touched() {
    memory.add({0x1000, 256, bytes.data(), nullptr, false, "bytes"});
    memory.add({0x9000, 64, variable.data(), nullptr, false, "variable"});
    launch.buffers.push_back({"bytes", bytes, true, 0x1000});
    touched.emplace(memory);
  }
  std::string ranges() const {
    std::string text;
    for (const TouchedRange& range : touched->ranges(launch)) {
      text += std::to_string(range.address - 0x1000) + "+" + std::to_string(range.bytes);
      text += std::string(range.read_first ? "r" : "") + (range.written ? "w" : "") + " ";
    }
    return text;
  }
};

TEST(TouchedMemory, AreTheSectorsThatWereAccessed) {
  Touched t;
  EXPECT_EQ(t.ranges(), "");
  t.touched->before_access(0, 4, 4, Kind::read);
  t.touched->before_access(0, 36, 60, Kind::read);
  t.touched->before_access(0, 250, 4, Kind::read);
  t.touched->before_access(1, 0, 64, Kind::write);
  EXPECT_EQ(t.ranges(), "0+96r 224+32r ");
}

TEST(TouchedMemory, WhatIsWrittenWholeBeforeItIsReadNeedsNoContents) {
  Touched t;
  t.touched->before_access(0, 0, 64, Kind::write);
  t.touched->before_access(0, 0, 64, Kind::read);
  EXPECT_EQ(t.ranges(), "0+64w ");
}

TEST(TouchedMemory, PartsOfASectorThatAreNotWrittenNeedTheirs) {
  Touched part, half_word, atomic, read;
  part.touched->before_access(0, 0, 28, Kind::write);
  EXPECT_EQ(part.ranges(), "0+32rw ");
  half_word.touched->before_access(0, 2, 30, Kind::write);
  half_word.touched->before_access(0, 0, 2, Kind::write);
  EXPECT_EQ(half_word.ranges(), "0+32rw ");
  atomic.touched->before_access(0, 0, 32, Kind::atomic);
  EXPECT_EQ(atomic.ranges(), "0+32rw ");
  read.touched->before_access(0, 8, 4, Kind::read);
  read.touched->before_access(0, 0, 32, Kind::write);
  EXPECT_EQ(read.ranges(), "0+32rw ");
}

}  // namespace
}  // namespace warpwalk::gpu
