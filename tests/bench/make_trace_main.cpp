#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string_view>

#include "tests/bench/make_trace.h"

int main(int argc, char** argv) {
  std::uint64_t events = 0;
  const std::string_view number = argc == 3 ? argv[1] : "";
  const auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), events);
  if (error != std::errc{} || rest != number.data() + number.size()) {
    std::fprintf(stderr, "usage: make_trace EVENTS OUT.json\n");
    return 2;
  }
  try {
    warpwalk::bench::make_trace(warpwalk::bench::real_sample(), events, argv[2]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "make_trace: %s\n", e.what());
    return 2;
  }
}
