// Fuzzes the reader of the flight recorder's dumps, and what compares them, with arbitrary pickles and JSON: one input
// as the dumps of two ranks. Nothing of a pickle may run, and whatever is said is one line. Called by libFuzzer or
// driver.cpp.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/ranks/hang/hang_report.h"
#include "core/trace/flight/read_dump.h"
#include "tests/fuzz/require.h"

namespace warpwalk::analysis {
namespace {

using fuzz::require;
using fuzz::require_line;

void try_dump(std::string_view bytes) {
  trace::flight::begins_a_dump(bytes);
  trace::flight::Dumps dumps;
  for (const char* const name : {"rank_0", "rank_1"}) {
    // The second is the first half, so that the ranks differ.
    const auto read = trace::flight::read_dump_text(bytes, name, dumps);
    require(read.is_dump != read.error.has_value(), "a dump or an error");
    if (read.error) require_line(*read.error);
    bytes = bytes.substr(0, bytes.size() / 2);
  }
  std::vector<std::int64_t> ranks;
  for (std::size_t i = 0; i < dumps.dumps.size(); ++i) {
    ranks.push_back(static_cast<std::int64_t>(i));
    for (const trace::flight::Call& call : dumps.dumps[i].calls) {
      require(call.state != trace::flight::State::unknown, "a call has a state");
      require(call.name < dumps.texts.size() && call.file < dumps.texts.size(), "texts exist");
    }
  }
  if (ranks.empty()) return;
  const HangReport report = hang_report(dumps, ranks);
  for (const std::string& problem : report.problems) require_line(problem);
  for (const Wait& wait : report.waits) {
    require(wait.group < report.groups.size(), "the group exists");
    require(!wait.waiting.empty() || wait.mismatch.has_value(), "somebody waits, or the ranks disagree");
    require(wait.instead.size() == wait.missing.size(), "one place for each missing rank");
    for (const std::size_t other : wait.because_of) require(other < report.waits.size(), "the wait exists");
    if (!wait.message) require(std::ranges::is_sorted(wait.waiting), "ranks are sorted");
  }
}

}  // namespace
}  // namespace warpwalk::analysis

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpwalk::analysis::try_dump({reinterpret_cast<const char*>(data), size});
  return 0;
}
