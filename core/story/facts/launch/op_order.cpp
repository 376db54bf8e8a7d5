#include "core/story/facts/launch/op_order.h"

#include <algorithm>

#include "core/analysis/slices.h"
#include "core/story/facts/words/rows.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t max_ops = 5;

Row row_of(const SceneInput& input, std::string name, SliceId slice, std::int64_t place, double shown) {
  const Walk& walk = input.walk;
  Row row{std::move(name), {}, shown};
  row.bars.push_back({slice, analysis::label_of(input.trace, slice), place, place + 1,
                      role_of(input.trace, slice, {walk.launch, walk.kernel}), true, 1});
  return row;
}

}  // namespace

TimelinePicture ordered_picture(const SceneInput& input, bool ops, const OrderedShown& shown) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const auto word = [&](std::string_view key, std::string n = {}) {
    return input.narration.text("row", key, {{"n", std::move(n)}});
  };
  TimelinePicture picture;
  picture.untimed = true;
  std::int64_t place = 0;
  RowGroup cpu;
  const SliceId first = ops && !walk.ops.empty() ? walk.ops.front() : walk.launch;
  if (first != no_slice) cpu.name = track_label(input.narration, trace, trace.slices.track[first]);
  if (ops && !walk.ops.empty()) {
    if (!walk.frames.empty())
      cpu.rows.push_back(row_of(input, word(frame_word(trace)), walk.frames.back(), place++, 1));
    // If not all ops fit, the outermost ones and the innermost one are kept.
    const std::size_t count = std::min(walk.ops.size(), max_ops);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t depth = i + 1 < count ? i : walk.ops.size() - 1;
      std::string name = depth > i    ? word("deeper", std::to_string(depth - i))
                         : depth == 0 ? word("op")
                                      : word("nested");
      cpu.rows.push_back(row_of(input, std::move(name), walk.ops[depth], place++, depth == 0 ? 1 : shown.nested));
    }
  }
  if (walk.launch != no_slice) cpu.rows.push_back(row_of(input, word("cuda"), walk.launch, place++, shown.call));
  // Each call encloses the ones after it: nested, its bar ends with them.
  for (Row& row : cpu.rows) row.bars.front().end = place;
  if (!cpu.rows.empty()) picture.groups.push_back(std::move(cpu));
  if (walk.kernel != no_slice) {
    const trace::TrackId track = trace.slices.track[walk.kernel];
    RowGroup gpu{device_label(input.narration, trace, trace.tracks[track].device), {}};
    gpu.rows.push_back(
        row_of(input, word("stream", analysis::stream_name(trace, track)), walk.kernel, place++, shown.work));
    picture.groups.push_back(std::move(gpu));
  }
  picture.from = 0;
  picture.to = static_cast<double>(std::max<std::int64_t>(place, 1));
  picture.scale_note = input.narration.text("legend", "no_scale");
  if (walk.launch != no_slice && shown.call > 0) picture.arrows.push_back({walk.launch, walk.kernel, shown.travelled});
  return picture;
}

}  // namespace warpwalk::story
