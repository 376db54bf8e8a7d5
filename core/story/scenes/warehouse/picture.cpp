// Builds the picture of one moment.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/memory/memory_map.h"
#include "core/analysis/slices.h"
#include "core/story/scenes/warehouse/warehouse.h"

namespace warpwalk::story {
namespace {

using trace::absent;

constexpr std::size_t max_strips = 6;
constexpr double finest = 700;  // distinguishable parts of a strip

// Looks up the picture's words.
class WarehouseWords {
 public:
  explicit WarehouseWords(const WarehouseView& view) : narration_(view.input.narration), values_(view.values) {}
  std::string operator()(std::string_view key, const Narration::Values& more = {}) const {
    Narration::Values all = more;
    all.insert(values_.begin(), values_.end());
    return narration_.text("warehouse.word", key, all);
  }

 private:
  const Narration& narration_;
  const Narration::Values& values_;
};

std::string in_units(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

// The time that the chart spans, ns since the trace's start: the changes, the followed op and its kernel, with some
// time around them, and the moment.
std::pair<double, double> shown_times(const WarehouseView& view, const std::vector<analysis::MemoryPoint>& points) {
  const Trace& trace = view.trace();
  std::int64_t first = points.front().time, last = points.back().time;
  for (const SliceId slice : {view.subject.root, view.input.walk.kernel}) {
    if (slice == no_slice || !has_time(trace, slice)) continue;
    first = std::min(first, analysis::since_start(trace, trace.slices.start[slice]));
    last = std::max(last, analysis::since_start(trace, trace.slices.end(slice)));
  }
  const auto from = static_cast<double>(first), to = static_cast<double>(last);
  const auto now = static_cast<double>(analysis::since_start(trace, view.at));
  const auto end = static_cast<double>(std::max<std::int64_t>(1, analysis::since_start(trace, trace.end_ns)));
  const double margin = last > first ? 0.15 * (to - from) : end;
  return {std::min({std::max(0.0, from - margin), from, now}), std::max({std::min(end, to + margin), to, now})};
}

void put_history(const WarehouseView& view, const WarehouseWords& words, WarehousePicture& picture) {
  const analysis::MemoryMap& map = view.map;
  using Capacity = WarehouseShows::Capacity;
  switch (view.shows.capacity) {
    case Capacity::hidden: picture.capacity_shown = 0; break;
    case Capacity::appears: picture.capacity_shown = eased(part(view.phase, 0, 0.7)); break;
    case Capacity::shown: picture.capacity_shown = 1; break;
  }
  if (view.has_capacity()) {
    picture.capacity = static_cast<double>(view.device->total_memory);
    picture.label_capacity = words("capacity");
  }
  if (map.points.empty()) {
    picture.no_history = words(view.subject.recorded ? "no_changes" : "no_history");
    picture.rules = view.input.narration.text("warehouse.column", "request_note");
    return;
  }
  picture.head_time = words("head_time");
  picture.points = map.points;
  for (analysis::MemoryPoint& point : picture.points) point.time = analysis::since_start(view.trace(), point.time);
  const auto [from, to] = shown_times(view, picture.points);
  picture.from = from;
  picture.to = to;
  picture.now = static_cast<double>(analysis::since_start(view.trace(), view.at));
  const double peak = static_cast<double>(std::max<std::int64_t>({map.peak_allocated, map.peak_reserved, 1}));
  constexpr double head_room = 1.15, max_times = 4;
  picture.top = peak * head_room;
  if (picture.capacity) {
    picture.capacity_above = *picture.capacity > max_times * picture.top;
    if (!picture.capacity_above) picture.top = std::max(picture.top, *picture.capacity * 1.04);
    if (picture.capacity_above)
      picture.label_scale = words("above", {{"times", with_thousands(std::llround(*picture.capacity / picture.top))}});
  }
  picture.level_allocated = map.allocated == absent ? -1 : static_cast<double>(map.allocated);
  if (map.allocated != absent)
    picture.label_allocated =
        words(view.subject.driver ? "taken" : "allocated", {{"now_allocated", in_units(map.allocated)}});
  if (map.reserved != absent) {
    picture.level_reserved = static_cast<double>(map.reserved);
    picture.label_reserved =
        words(map.before_first ? "reserved_first" : "reserved", {{"now_reserved", in_units(map.reserved)}});
  }
  picture.label_now = words("now", {{"time", time_text(picture.now)}});
}

void put_account(const WarehouseView& view, const WarehouseWords& words, WarehousePicture& picture) {
  const analysis::MemoryMap& map = view.map;
  if (map.allocated == absent) return;
  const bool driver = view.subject.driver;
  picture.head_account = words(driver                   ? "head_account_driver"
                               : view.subject.space.gpu ? "head_account"
                                                        : "head_account_cpu");
  const std::int64_t seen = std::min(map.seen, map.allocated);
  const auto add = [&](WarehousePart::Kind kind, std::string_view key, std::int64_t bytes) {
    if (bytes > 0)
      picture.parts.push_back(
          {kind, words(key),
           Figure::derived(static_cast<double>(bytes), Unit::bytes, words(fmt::format("{}_formula", key)))});
  };
  add(WarehousePart::Kind::seen, driver ? "part_taken" : "part_seen", seen);
  add(WarehousePart::Kind::before, "part_before", map.allocated - seen);
  if (map.reserved != absent) add(WarehousePart::Kind::cached, "part_cached", map.reserved - map.allocated);
  const std::int64_t of_device = driver ? map.allocated : map.reserved;
  if (picture.capacity && of_device != absent && *picture.capacity > 0) {
    const double share = 100 * static_cast<double>(of_device) / *picture.capacity;
    picture.label_share = words("share", {{"percent", Figure::derived(share, Unit::percent, "").text()}});
  }
}

std::string pool_word(const analysis::MemoryStrip& strip, const WarehouseView& view, const WarehouseWords& words) {
  return view.subject.space.gpu ? words(strip.small ? "small" : "large") : words("host");
}

WarehouseStrip make_strip(const WarehouseView& view, const WarehouseWords& words, const analysis::MemoryStrip& strip,
                          std::int64_t scale) {
  WarehouseStrip out;
  const Narration::Values own = {{"start", analysis::address_text(strip.address)}, {"bytes", in_units(strip.bytes)}};
  out.label = view.subject.driver ? words("strip_taken", own)
                                  : fmt::format("{} · {}", words(strip.segment ? "strip_segment" : "strip_window", own),
                                                pool_word(strip, view, words));
  out.tip = words(view.subject.driver ? "strip_taken_tip"
                  : strip.segment     ? "strip_segment_tip"
                                      : "strip_window_tip",
                  own);
  out.address = strip.address;
  out.bytes = strip.bytes;
  out.scale = scale;
  out.segment = strip.segment;
  const std::optional<OwnBlock>& own_block = view.subject.block;
  if (own_block && own_block->freed && *own_block->freed <= view.at && own_block->address >= strip.address &&
      own_block->address < strip.end()) {
    out.was = own_block->address;
    out.was_bytes = own_block->bytes;
    out.was_label = words("was_label");
  }
  const auto chosen = view.input.set("warehouse", "block");
  const auto too_small = static_cast<std::int64_t>(static_cast<double>(scale) / finest);
  const double arrives = view.shows.block_comes && !view.scrubbed ? eased(part(view.phase, 0.45, 0.8)) : 1;
  const double leaves = view.shows.block_goes && !view.scrubbed ? eased(part(view.phase, 0.5, 0.9)) : 1;
  std::size_t merged = 1;
  for (const analysis::MemoryRange& range : strip.ranges) {
    WarehouseRange one;
    one.address = range.address;
    one.bytes = range.bytes;
    one.state = range.state;
    const bool block = range.state == analysis::MemoryRange::State::block;
    one.followed = own_block && block && range.address == own_block->address && range.since == own_block->born;
    one.chosen = chosen && block && static_cast<double>(range.address) == *chosen;
    // Neighbours that are too small to be distinguished become one.
    if (WarehouseRange* last = out.ranges.empty() ? nullptr : &out.ranges.back();
        last != nullptr && !one.followed && !last->followed && !one.chosen && !last->chosen &&
        last->state == one.state && last->bytes < too_small && one.bytes < too_small &&
        range.address < last->address + static_cast<std::uint64_t>(last->bytes + too_small)) {
      ++merged;
      last->bytes = static_cast<std::int64_t>(range.end() - last->address);
      last->label.clear();
      last->tip = words(
          block ? "merged_tip" : "merged_cached_tip",
          {{"n", with_thousands(static_cast<std::int64_t>(merged))}, {"start", analysis::address_text(last->address)}});
      continue;
    }
    merged = 1;
    const std::string bytes = in_units(range.bytes);
    if (block) {
      const std::vector<trace::Allocation>& rows = view.trace().records.allocations;
      const std::string name = range.record < rows.size() ? rows[range.record].name : std::string();
      one.label = one.followed ? words("followed_label") : name.empty() ? bytes : fmt::format("{}: {}", name, bytes);
      const bool before = range.since == analysis::before_record;
      one.tip = words(
          view.subject.driver ? "taken_tip"
          : before            ? "block_before_tip"
                              : "block_tip",
          {{"start", analysis::address_text(range.address)},
           {"bytes", analysis::full_bytes(range.bytes)},
           {"since", before ? "" : time_text(static_cast<double>(analysis::since_start(view.trace(), range.since)))}});
      if (one.followed) one.shown = arrives;
    } else {
      one.label = words("cached_label");
      one.tip = words("cached_tip", {{"start", analysis::address_text(range.address)}, {"bytes", bytes}});
      const bool just_freed =
          own_block && own_block->freed && range.address <= own_block->address && own_block->address < range.end();
      if (just_freed) one.shown = leaves;
    }
    out.ranges.push_back(std::move(one));
  }
  return out;
}

void put_strips(const WarehouseView& view, const WarehouseWords& words, WarehousePicture& picture) {
  // The followed block's strip first, then the others by size: if not all fit, the first ones are drawn.
  std::vector<const analysis::MemoryStrip*> order;
  for (const analysis::MemoryStrip& strip : view.map.strips)
    if (strip.bytes > 0) order.push_back(&strip);
  if (order.empty()) return;
  const auto holds = [&](const analysis::MemoryStrip* strip) {
    return view.subject.block && strip->address <= view.subject.block->address &&
           view.subject.block->address < strip->end();
  };
  std::stable_sort(order.begin(), order.end(), [&](const analysis::MemoryStrip* a, const analysis::MemoryStrip* b) {
    return std::pair{!holds(a), -a->bytes} < std::pair{!holds(b), -b->bytes};
  });
  picture.more_strips = words("more_strips");
  const std::size_t all = order.size();
  order.resize(std::min(all, max_strips));
  std::int64_t largest[2] = {1, 1};  // of the large and the small pool, which have separate scales
  for (const analysis::MemoryStrip* strip : order)
    largest[strip->small] = std::max(largest[strip->small], strip->bytes);
  for (const analysis::MemoryStrip* strip : order)
    picture.strips.push_back(make_strip(view, words, *strip, largest[strip->small]));
  picture.strips_in_all = all;
  const bool both = largest[0] > 1 && largest[1] > 1;
  picture.head_addresses = words(both ? "head_addresses_both" : "head_addresses");
  picture.word_torn = words("torn");
}

}  // namespace

std::shared_ptr<const WarehousePicture> warehouse_picture(const WarehouseView& view) {
  auto picture = std::make_shared<WarehousePicture>();
  const WarehouseWords words(view);
  put_history(view, words, *picture);
  if (!view.map.points.empty() || view.map.source == analysis::MemoryMap::Source::records) {
    put_account(view, words, *picture);
    put_strips(view, words, *picture);
  }
  picture->column = warehouse_column(view);
  return picture;
}

}  // namespace warpwalk::story
