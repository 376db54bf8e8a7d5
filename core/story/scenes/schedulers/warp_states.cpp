#include <array>
#include <string_view>
#include <utility>

#include "core/story/scenes/schedulers/schedulers.h"

namespace warpwalk::story {
namespace {

using gpu::StallReason;

// In the order of the legend.
enum State : std::size_t { issued, ready, memory, shared, barrier, fixed, resource, fetch, last };
constexpr std::size_t states = 9;
constexpr std::array<std::string_view, states> keys = {"issued", "ready",    "memory", "shared", "barrier",
                                                       "fixed",  "resource", "fetch",  "last"};

}  // namespace

std::size_t raster_state(StallReason reason) {
  switch (reason) {
    case StallReason::selected: return issued;
    case StallReason::not_selected: return ready;
    case StallReason::long_scoreboard:
    case StallReason::membar: return memory;
    case StallReason::short_scoreboard: return shared;
    case StallReason::barrier: return barrier;
    case StallReason::wait:
    case StallReason::branch_resolving:
    case StallReason::sleeping: return fixed;
    case StallReason::math_pipe_throttle:
    case StallReason::mio_throttle:
    case StallReason::lg_throttle:
    case StallReason::tex_throttle:
    case StallReason::dispatch_stall: return resource;
    case StallReason::no_instruction:
    case StallReason::imc_miss: return fetch;
    case StallReason::drain: return last;
  }
  return fixed;
}

std::vector<RasterState> raster_states(const Narration& narration) {
  std::vector<RasterState> legend = {
      {Tone::work, false, false, {}},   {Tone::work, true, false, {}},    {Tone::memory, false, false, {}},
      {Tone::shared, false, false, {}}, {Tone::barrier, false, true, {}}, {Tone::quiet, false, false, {}},
      {Tone::refused, false, true, {}}, {Tone::host, false, false, {}},   {Tone::plain, true, false, {}}};
  for (std::size_t i = 0; i < states; ++i) legend[i].word = narration.text("schedulers.state", keys[i]);
  return legend;
}

std::string state_word(const Narration& narration, StallReason reason) {
  return narration.text("schedulers.state", keys[raster_state(reason)]);
}

void keep_shown_states(RasterPicture& picture) {
  std::array<bool, states> used{};
  for (const RasterGroup& group : picture.groups)
    for (const RasterRow& row : group.rows)
      for (const RasterSpan& span : row.spans) used[span.state] = true;
  std::vector<RasterState> shown;
  std::array<std::size_t, states> place{};
  for (std::size_t state = 0; state < states; ++state) {
    place[state] = shown.size();
    if (state <= barrier || used[state]) shown.push_back(std::move(picture.states[state]));
  }
  picture.states = std::move(shown);
  for (RasterGroup& group : picture.groups)
    for (RasterRow& row : group.rows)
      for (RasterSpan& span : row.spans) span.state = place[span.state];
}

}  // namespace warpwalk::story
