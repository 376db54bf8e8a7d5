#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/e2e/desktop.h"

namespace warpwalk::testing {

/// Tests of the program in its window: real keys, a real mouse, and the state that it reports.
class Window : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = Display::missing(); !missing.empty()) GTEST_SKIP() << missing;
  }
};

inline std::size_t colours_of(const draw::Image& image) {
  return std::set<std::uint32_t>(image.pixels.begin(), image.pixels.end()).size();
}

/// Waits for the screen, which is drawn a moment after the state is reported.
inline bool shows(const Desktop& desktop, const std::function<bool(const draw::Image&)>& condition) {
  const auto give_up = Desktop::Clock::now() + std::chrono::seconds(5);
  while (Desktop::Clock::now() < give_up) {
    const auto image = desktop.display().screenshot();
    if (image && condition(*image)) return true;
  }
  return false;
}

}  // namespace warpwalk::testing
