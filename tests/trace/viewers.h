#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <rapidjson/document.h>

namespace warpwalk::trace::test {

/// An element of traceEvents as other viewers read it; times in us.
struct Event {
  std::string phase, category, name;
  std::int64_t pid = 0, tid = 0, id = 0;
  double ts = 0, dur = 0;
  bool binds_enclosing = false;
};
std::vector<Event> events_of(const rapidjson::Document& document);

/// The slices of each line of a viewer (pid, tid), sorted as viewers do.
using Lines = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Event>>;

/// Expects that on each line slices nest or do not overlap, and that kernels never nest.
Lines expect_nested(const std::vector<Event>& events, const std::string& what);

/// Ends that speedscope reports as mismatched. It sorts starts and ends by sums of floating-point microseconds; the
/// slice that ends must be the innermost open one.
std::size_t mismatched_ends(const std::vector<Event>& line);

/// Expects what Perfetto, Catapult and speedscope need: nested slices with a duration, an arrow from a slice to each
/// kernel, a start for each end, no instant in place of the slice at either end of an arrow, and arrows from forward to
/// backward ops that begin with the op.
void expect_readable_by_viewers(const rapidjson::Document& document, const std::string& what);

}  // namespace warpwalk::trace::test
