// The receipt and the desks, as far as a beat shows them, and the values of its words.
#include <algorithm>
#include <memory>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/map/map.h"

namespace warpwalk::story {
namespace {

void put_receipt(MapSubject& s) {
  const Receipt& receipt = *s.receipt;
  Narration::Values& values = s.values;
  const auto put_time = [&](std::string_view key, std::int64_t ns) {
    values[std::string(key)] = time_text(static_cast<double>(ns));
  };
  put_time("cpu", receipt.cpu());
  put_time("overhead", receipt.overhead);
  put_time("launch", receipt.skewed() ? receipt.launch_end - receipt.launch_start : receipt.launch());
  put_time("queue", receipt.queue());
  if (const std::optional<FirstLaunch> first = first_launch_of(s.trace(), s.walk())) put_time("usual", first->usual);
  put_time("total", total_of(receipt, s.call));
  put_time("early", receipt.launch_end - receipt.kernel_start);
  put_time("skew", receipt.launch_start - receipt.kernel_start);
  if (receipt.overhead_slice != no_slice)
    values["overhead_name"] = analysis::label_of(s.trace(), receipt.overhead_slice);
  add_work_ahead(s.trace(), receipt.ahead, values);
  values["nodes"] = counted_words(s.input.narration, "nodes", s.call.pieces);
  put_time("launch_each", own_launch(receipt, s.call));
  const auto share_of = [&](std::int64_t whole) {
    return Figure::derived(percent_of(receipt.kernel(), whole), Unit::percent, "-").text();
  };
  values["share"] = share_of(receipt.total());
  values["share_without"] = share_of(without_profiler(receipt));
  values["waiting"] = with_thousands(static_cast<std::int64_t>(receipt.ahead.count));
  values["pieces"] = std::to_string(s.walk().gpu_pieces);
}

void add_stations(MapSubject& s) {
  s.picture.stations = map_stations(s.input);
  for (Station& station : s.picture.stations) {
    if (s.input.naming == Naming::company) station.hardware = station.company;
    if (s.input.naming != Naming::both) station.company.clear();
  }
}

void add_lines(MapSubject& s, const ReceiptReach& reach) {
  const Receipt& receipt = *s.receipt;
  const Narration& n = s.input.narration;
  s.picture.lines = receipt_lines(s.input, receipt, reach, s.input.moment.phase);
  s.picture.from = analysis::since_start(s.trace(), std::min(receipt.op_start, receipt.kernel_start));
  s.picture.to = analysis::since_start(s.trace(), std::max(receipt.kernel_end, receipt.launch_end));
  s.picture.total = Figure::derived(static_cast<double>(total_of(receipt, s.call)), Unit::nanoseconds,
                                    shares_launch(receipt, s.call) ? n.text("map.formula", "total_shared")
                                    : has_op(s.walk())             ? n.text("formula", "total")
                                                                   : n.text("map.formula", "total_launch"));
}

}  // namespace

MapSubject map_subject(const Here& here) {
  const SceneInput& input = here.input;
  const ReceiptReach& reach = here.shown<MapBeat>()->more;
  MapSubject s{input,
               receipt_of(input.trace, input.walk),
               launch_call_of(input.trace, input.walk),
               is_untimed(input.trace, input.walk) && input.walk.launch != no_slice,
               common_values(input),
               {}};
  const auto head = [&](std::string_view key) { return input.narration.text("map.head", key); };
  s.picture.head_receipt = head(s.untimed ? "counted" : "receipt");
  s.picture.head_time = head(s.untimed ? "count" : "time");
  s.picture.head_share = head(s.untimed ? "each" : "share");
  s.picture.word_total = head("total");
  add_stations(s);
  if (s.receipt) {
    put_receipt(s);
    add_lines(s, reach);
  } else if (s.untimed) {
    add_counted_values(input, s.values);
    s.picture.counted = map_counters(input, reach);
  }
  return s;
}

double percent_of(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

void show_receipt(ReceiptPicture picture, Stage& stage) {
  stage.picture = std::make_shared<const ReceiptPicture>(std::move(picture));
}

}  // namespace warpwalk::story
