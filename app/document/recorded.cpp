#include "app/document/recorded.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace warpwalk::document {
namespace {

using story::no_slice;
using story::SliceId;

// `recorded`: one of Document::recorded.
bool is_complete(const trace::Trace& trace, SliceId recorded) {
  const trace::KernelDetail& kernel = trace.kernels[trace.slices.detail[recorded]];
  return trace.records.kernels[static_cast<std::size_t>(kernel.record)].state->missing.empty();
}

}  // namespace

SliceId first_recorded(const Document& document) {
  const trace::Trace& trace = document.trace();
  const auto rank = [&](SliceId kernel) {
    return std::pair{is_complete(trace, kernel), trace.slices.duration[kernel]};
  };
  const auto best = std::ranges::max_element(document.recorded, {}, rank);
  return best == document.recorded.end() ? no_slice : *best;
}

SliceId recorded_from(const Document& document, SliceId followed) {
  const std::vector<SliceId>& all = document.recorded;
  if (all.empty()) return no_slice;
  const auto at = std::ranges::find(all, followed);
  if (at != all.end()) return at + 1 == all.end() ? all.front() : *(at + 1);
  if (followed == no_slice) return first_recorded(document);
  const trace::Slices& slices = document.trace().slices;
  SliceId nearest = no_slice;
  const auto distance = [&](SliceId kernel) { return std::abs(slices.start[kernel] - slices.start[followed]); };
  for (const SliceId kernel : all)
    if (slices.name[kernel] == slices.name[followed] && (nearest == no_slice || distance(kernel) < distance(nearest)))
      nearest = kernel;
  return nearest == no_slice ? first_recorded(document) : nearest;
}

bool is_recorded(const Document& document, SliceId work) {
  return std::ranges::find(document.recorded, work) != document.recorded.end();
}

}  // namespace warpwalk::document
