// Pictures of the lab "host-device": the program and its copies.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/host_device/host_device.h"

namespace warpwalk::story {
namespace {

Role role_of(const CallSpan& span) {
  if (span.lane == Lane::copies) return Role::copy;
  if (span.lane == Lane::gpu) return Role::kernel;
  return span.waits ? Role::wait : span.key == "launch" ? Role::launch : Role::call;
}

// The line of PyTorch, the call that it leads to, and the recorded operation.
struct CopyCall {
  std::string_view key, record;
};
constexpr CopyCall copy_calls[] = {{"to", "h2d_pageable"},      {"to_non_blocking", "h2d_pageable_async"},
                                   {"pinned_to", "h2d_pinned"}, {"pinned_to_non_blocking", "h2d_pinned_async"},
                                   {"cpu", "d2h_pageable"},     {"copy_to_pinned", "d2h_pinned_async"}};

}  // namespace

Panel calls_panel(const HostDevice& lab, double shown) {
  const std::vector<CallSpan> spans = lab.calls(lab.way);
  TimelinePicture picture;
  picture.to = std::max(total_ns(spans), 1.0) * 1.01;
  static constexpr std::pair<Lane, std::string_view> lanes[] = {
      {Lane::cpu, "lane_cpu"}, {Lane::copies, "lane_copies"}, {Lane::gpu, "lane_gpu"}};
  const double until = shown * picture.to;
  RowGroup& group = picture.groups.emplace_back();
  for (const auto& [lane, key] : lanes) {
    Row& row = group.rows.emplace_back();
    row.name = lab.word(key);
    for (const CallSpan& span : spans) {
      const double end = std::min(span.to, until);
      if (span.lane != lane || end <= span.from) continue;
      Bar& bar = row.bars.emplace_back();
      // On the CPU's crowded lane, narrow bars have no label: the facts name them.
      bar.followed = lane != Lane::cpu || has_room(span, picture.to);
      if (bar.followed || span.waits) bar.label = lab.word(span.key);
      bar.start = std::llround(span.from);
      bar.end = std::llround(end);
      bar.role = role_of(span);
    }
  }
  return {"", 1, std::move(picture)};
}

Panel ways_table(const HostDevice& lab) {
  TablePicture table;
  table.columns = {{lab.word("way_head"), 2.2},
                   {lab.word("total_head"), 1, true},
                   {lab.word("busy_head"), 1, true},
                   {lab.word("waits_head"), 1, true},
                   {lab.word("kernel_head"), 1, true}};
  for (std::size_t i = 0; i < way_count; ++i) {
    const std::vector<CallSpan> spans = lab.calls(static_cast<Way>(i));
    double waits = 0, kernel = 0;
    for (const CallSpan& span : spans) {
      if (span.waits) waits += span.to - span.from;
      if (span.lane == Lane::gpu) kernel += span.to - span.from;
    }
    const auto derived = [&](double ns, std::string_view formula) {
      return figure_cell(Figure::derived(ns, Unit::nanoseconds, lab.word(formula)));
    };
    table.rows.push_back({{word_cell(lab.word(HostDevice::way_keys[i])), derived(total_ns(spans), "total_formula"),
                           derived(cpu_busy_ns(spans), "busy_formula"), derived(waits, "waits_formula"),
                           derived(kernel, "kernel_formula")},
                          static_cast<Way>(i) == lab.way,
                          {},
                          {{fmt::format("{}.way", HostDevice::name), static_cast<double>(i)}}});
  }
  return {"", 1, std::move(table)};
}

Panel pieces_panel(const HostDevice& lab, bool pinned, double shown) {
  constexpr std::int64_t pieces = 4;
  TimelinePicture picture;
  picture.untimed = true;
  picture.to = pieces + 2;
  picture.scale_note = lab.word("order_only");
  const double until = shown * picture.to;
  RowGroup& group = picture.groups.emplace_back();
  group.rows.resize(2);
  group.rows[0].name = lab.word("lane_cpu");
  group.rows[1].name = lab.word("lane_copies");
  const auto bar = [&](Row& to, std::string text, std::int64_t from, std::int64_t end, Role role) {
    if (static_cast<double>(from) >= until) return;
    Bar& one = to.bars.emplace_back();
    one.label = std::move(text);
    one.start = from;
    one.end = end;
    one.role = role;
    one.followed = true;
  };
  Row& cpu = group.rows[0];
  if (pinned)
    bar(cpu, lab.word("piece_call"), 0, 1, Role::call);
  else
    for (std::int64_t i = 0; i < pieces; ++i) bar(cpu, fmt::to_string(i + 1), i, i + 1, Role::call);
  Row& engine = group.rows[1];
  if (pinned)
    bar(engine, lab.word("piece_all"), 1, pieces + 1, Role::copy);
  else
    for (std::int64_t i = 0; i < pieces; ++i) bar(engine, fmt::to_string(i + 1), i + 1, i + 2, Role::copy);
  return {lab.word(pinned ? "pieces_pinned" : "pieces_pageable"), 1, std::move(picture)};
}

Panel copies_table(const HostDevice& lab) {
  TablePicture table;
  table.columns = {{"PyTorch", 4.4},
                   {"cudaMemcpyAsync", 2},
                   {lab.word("returned_head"), 1.35, true},
                   {lab.word("there_head"), 1.35, true},
                   {lab.word("early_head"), 1.2, true}};
  for (const CopyCall& call : copy_calls) {
    const records::HostDeviceTime* const time = lab.time(call.record);
    if (time == nullptr) continue;
    const auto text = [&](std::string_view column) {
      return lab.input.narration.text(fmt::format("{}.copy", HostDevice::name), fmt::format("{}_{}", call.key, column));
    };
    const auto measured = [](double ns) {
      return figure_cell(Figure::recorded(ns, Unit::nanoseconds, Origin::measured));
    };
    const double early = std::max(0.0, time->done_ns() - time->returned.median);
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(text("pytorch")), word_cell(text("cuda"), Tone::quiet), measured(time->returned.median),
                 measured(time->done_ns()),
                 figure_cell(Figure::derived(early, Unit::nanoseconds, lab.word("early_formula")))};
    row.cells[0].code = true;
    row.followed = early > time->done_ns() / 2;
  }
  return {"", 1, std::move(table)};
}

double link_rate(const records::HostDeviceRecord& record) {
  double generation = 0, width = 0;
  try {
    generation = std::stod(std::string(record.note("pcie_generation")));
    width = std::stod(std::string(record.note("pcie_width")));
  } catch (const std::exception&) {
    return 0;
  }
  if (generation < 3 || generation > 5 || width < 1) return 0;
  // From generation 3 to 5: 8 GT/s, doubled with each, and 128 bits of data in 130.
  return 8 * std::exp2(generation - 3) * width * 128 / 130 / 8;
}

Panel bandwidth_panel(const HostDevice& lab) {
  ScatterPicture picture;
  const double least = lab.sizes.front(), most = lab.sizes.back();
  picture.across = {lab.word("size_axis"), least / 2, most * 2, true, {}};
  for (std::size_t i = 0; i < lab.sizes.size(); i += 2)
    picture.across.ticks.emplace_back(lab.sizes[i], bytes_text(lab.sizes[i]));
  picture.up = {lab.word("rate_axis"), 0.1, 100, true, {{0.1, with_marks("0.1")}, {1, "1"}, {10, "10"}, {100, "100"}}};
  static constexpr std::pair<std::string_view, Tone> groups[] = {{"h2d_pinned", Tone::memory},
                                                                 {"h2d_pageable", Tone::host},
                                                                 {"d2h_pinned", Tone::work},
                                                                 {"d2h_pageable", Tone::shared}};
  for (const auto& [key, tone] : groups) {
    picture.groups.push_back({lab.word(key), tone});
    for (const double size : lab.sizes) {
      const records::HostDeviceTime* const time = lab.record.find(key, size);
      if (time == nullptr) continue;
      const double rate = size / time->done_ns();
      picture.points.push_back({size, rate, picture.groups.size() - 1, bytes_text(size),
                                fmt::format("{}, {}", lab.rate_text(rate), time_text(time->done_ns())), false});
    }
  }
  if (const double rate = link_rate(lab.record); rate > 0)
    picture.lines.push_back({{picture.across.from, rate},
                             {picture.across.to, rate},
                             lab.word("link", {{"rate", lab.rate_text(rate)}}),
                             true});
  picture.lines.push_back({{lab.bytes, picture.up.from}, {lab.bytes, picture.up.to}, lab.word("chosen"), true});
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
