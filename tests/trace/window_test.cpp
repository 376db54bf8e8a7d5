// The same trace must result for every window size and every position of the window's end.
#include "core/trace/json/window.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "tests/trace/equal.h"
#include "tests/trace/random_trace.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

TEST(Window, MovesForwardAndGrowsOnlyAsFarAsNeeded) {
  const std::string text = "0123456789abcdef";
  const auto source = platform::memory_source(text);
  Window window(*source, 4, 8);
  ASSERT_TRUE(window.more());
  EXPECT_EQ(window.text(), "0123");
  window.drop(3);
  ASSERT_TRUE(window.more());
  EXPECT_EQ(window.text(), "3456");
  EXPECT_EQ(window.offset(), 3u);
  ASSERT_TRUE(window.more());
  EXPECT_EQ(window.text(), "3456789a");
  EXPECT_FALSE(window.more());  // at its cap
  EXPECT_FALSE(window.complete());
  window.drop(8);
  ASSERT_TRUE(window.more());
  EXPECT_EQ(window.text(), "bcdef");
  EXPECT_EQ(window.offset(), 11u);
  EXPECT_FALSE(window.more());
  EXPECT_TRUE(window.complete());
}

TEST(Window, SizesFromOneByteGiveTheSameTrace) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Trace trace = random_trace(seed);
    const std::string text = write_trace_text(trace);
    for (const std::size_t size : {1, 2, 3, 7, 64, 100, 1000}) {
      ReadOptions options;
      options.window_bytes = size;
      const ReadResult read = read_trace_text(text, options);
      ASSERT_FALSE(read.error) << *read.error;
      ASSERT_EQ(equal(trace, read.trace).value_or("equal"), "equal") << "seed " << seed << ", window " << size;
    }
  }
}

// White space before the events shifts them across the end of the first window, one byte at a time.
TEST(Window, AnEventAcrossItsEndAtEveryOffset) {
  const std::string damaged = "{\"ph\": \"X\", \"name\": \"a\"b\"}";
  const std::string events = fmt::format(
      "[{}, {}, {}]",
      slice("cpu_op", "one \\\"quoted\\\" \\u00e9", 1, 2, "\"External id\": 5, \"own\": [1, {\"a\": null}]"), damaged,
      slice("kernel", "two", -3.25, 4, "\"grid\": [1, 2, 3], \"x\": NaN", 0, 7));
  constexpr std::size_t window = 512;
  ReadOptions options;
  options.window_bytes = window;
  const ReadResult whole = read_trace_text(events);
  ASSERT_EQ(whole.events, 2u);
  for (std::size_t space = window - events.size() - 2; space < window + 2; ++space) {
    const ReadResult read = read_trace_text(std::string(space, ' ') + events, options);
    ASSERT_EQ(read.events, 2u) << space;
    ASSERT_EQ(equal(whole.trace, read.trace).value_or("equal"), "equal") << space;
    ASSERT_EQ(read.problems.rows().size(), whole.problems.rows().size()) << space;
    for (std::size_t i = 0; i < whole.problems.rows().size(); ++i) {
      const Problem &a = whole.problems.rows()[i], &b = read.problems.rows()[i];
      ASSERT_EQ(a.kind, b.kind);
      ASSERT_EQ(a.count, b.count);
      ASSERT_EQ(b.byte_offset, a.byte_offset == 0 ? 0 : a.byte_offset + space) << b.message;
    }
  }
}

TEST(Window, TheUsualOneOfAMegabyteIsCrossedToo) {
  std::string text = "{\"traceEvents\": [\n";
  std::size_t events = 0;
  for (; text.size() < (std::size_t{3} << 20); ++events)
    text += slice("cpu_op", fmt::format("op {}", events), static_cast<double>(events), 1) + ",\n";
  text += "]}";
  const ReadResult read = read_trace_text(text);
  ASSERT_FALSE(read.error);
  ASSERT_EQ(read.events, events);
  ASSERT_EQ(read.problems.rows().size(), 1u);  // the comma behind the last event
  for (SliceId s = 0; s < events; ++s) ASSERT_EQ(read.trace.name(s), fmt::format("op {}", s));
}

}  // namespace
}  // namespace warpwalk::trace::test
