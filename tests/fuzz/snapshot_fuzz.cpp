// Fuzzes the reader of memory snapshots with arbitrary pickles. Nothing of a pickle may run, the trace must be safe to
// use without checks, must not depend on the size of the read window, and must survive a round trip through the writer
// and the reader. Called by libFuzzer or driver.cpp.
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "core/trace/snapshot/memory_snapshot.h"
#include "tests/fuzz/require.h"
#include "tests/trace/equal.h"

namespace warpwalk::trace {
namespace {

using fuzz::require;
using fuzz::require_line;

ReadOptions small_caps() {
  ReadOptions options;
  options.memory_cap_bytes = std::uint64_t{64} << 20;
  options.entry_cap_bytes = std::uint64_t{4} << 20;
  return options;
}

void require_sound(const MemorySnapshot& snapshot) {
  require(!snapshot.stacks.empty() && snapshot.stacks[0].empty(), "stack 0 is empty");
  for (const auto& stack : snapshot.stacks)
    for (const std::uint32_t frame : stack) require(frame < snapshot.frames.size(), "a frame exists");
  for (const auto& segment : snapshot.segments) {
    require(segment.bytes >= 0, "a segment's size is not negative");
    std::uint64_t at = segment.address;
    for (const auto& block : segment.blocks) {
      require(block.bytes > 0 && block.requested >= 0, "a block has bytes");
      require(block.address == at, "blocks have no gaps");
      require(block.stack < snapshot.stacks.size(), "a stack exists");
      at += static_cast<std::uint64_t>(block.bytes);
    }
  }
}

void try_pickle(std::string_view bytes) {
  const ReadResult result = read_trace_text(bytes, small_caps(), "fuzz");
  for (const Problem& problem : result.problems.rows()) require_line(problem.message);
  if (result.error) {
    require_line(*result.error);
    require(result.events == 0, "an error means that nothing was salvaged");
    return;
  }
  const Trace& trace = result.trace;
  std::int64_t before = std::numeric_limits<std::int64_t>::min();
  for (const MemoryEvent& event : trace.memory) {
    require(event.time >= before, "events are sorted");
    before = event.time;
    require(event.extra < trace.strings.size(), "a text exists");
    require(event.allocated >= 0 && event.reserved >= 0, "totals are not negative");
    snapshot_event(trace, event);
  }
  const auto snapshot = memory_snapshot(trace);
  if (!snapshot) return;  // the fuzzer turned the pickle into JSON
  require_sound(*snapshot);

  ReadOptions pieces = small_caps();
  pieces.window_bytes = 1 + bytes.size() % 97;
  const ReadResult again = read_trace_text(bytes, pieces, "fuzz");
  require(!again.error && !equal(again.trace, trace), "the same trace in pieces as in one");

  const std::string written = write_trace_text(trace);
  const ReadResult copy = read_trace_text(written);
  require(!copy.error && !equal(copy.trace, trace), "what is written and read is the same");
}

}  // namespace
}  // namespace warpwalk::trace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpwalk::trace::try_pickle({reinterpret_cast<const char*>(data), size});
  return 0;
}
