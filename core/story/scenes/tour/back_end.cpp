// The end of the tour: where the time went, and everything on one picture.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/time/idle_lines.h"
#include "core/story/elements/moment.h"
#include "core/story/elements/naming.h"
#include "core/story/facts/launch/input_values.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/tour/world.h"

namespace warpwalk::story {
namespace {

// --- Step 23: where the time went.

// A part of the receipt, and how long it usually takes.
struct ReceiptBar {
  std::string_view key;  // "cpu", "launch", "queue", "kernel"
  std::int64_t time = 0;
  Origin origin = Origin::derived;
  std::optional<std::int64_t> usual = {};
  Tone tone = Tone::host;
};

std::array<ReceiptBar, 4> receipt_bars(const Tour& s) {
  std::array<ReceiptBar, 4> bars = {{{"cpu", s.receipt.cpu(), Origin::derived, {}, Tone::host},
                                     {"launch", s.receipt.launch(), s.recorded(), {}, Tone::host},
                                     {"queue", s.receipt.queue(), Origin::derived, {}, Tone::refused},
                                     {"kernel", s.receipt.kernel(), s.recorded(), {}, Tone::work}}};
  if (const auto usual = other_launches_of(s.trace(), s.walk())) {
    bars[1].usual = usual->call + std::min<std::int64_t>(usual->start, 0);
    bars[2].usual = std::max<std::int64_t>(usual->start, 0);
    bars[3].usual = usual->kernel;
  }
  return bars;
}

const ReceiptBar& longest(const std::array<ReceiptBar, 4>& bars) {
  return *std::ranges::max_element(bars, {}, &ReceiptBar::time);
}

bool records_stacks(const Tour& s) {
  const auto options = analysis::slowing_options(s.trace());
  return std::ranges::find(options, "with_stack") != options.end();
}

}  // namespace

PlanePicture receipt_plane(const Tour& s, double phase) {
  Plane plane(world::cpu_view);
  const PlaneBox& view = world::cpu_view;
  plane.frame("cpu", world::cpu, Tone::host);
  const std::array<ReceiptBar, 4> bars = receipt_bars(s);
  const bool open = open_question(s, receipt_question(s));
  const double total = std::max(1.0, static_cast<double>(s.receipt.total()));
  // Names on the left, the way of the time in the middle, this run and the usual one on the right.
  const double names = view.x + 16, middle = view.x + 216, wide = 490, own = view.x + 726, usual = view.x + 850;
  constexpr double head = 40, row = 78, bar = 46;
  const bool has_usual = std::ranges::any_of(bars, [](const ReceiptBar& one) { return one.usual.has_value(); });
  if (!open) {
    plane.text("own head", {own, view.y + 8, 116, head}, s.word("receipt_own"), Plane::Type::body, Plane::Align::right);
    if (has_usual)
      plane
          .text("usual head", {usual, view.y + 8, 104, head}, s.word("receipt_usual"), Plane::Type::body,
                Plane::Align::right)
          .tip = s.word("tip_usual");
  }
  double at = 0, y = view.y + 12 + head;
  for (std::size_t i = 0; i < bars.size(); ++i, y += row) {
    const ReceiptBar& one = bars[i];
    const double shown = open ? 0 : part(phase, 0.18 * static_cast<double>(i), 0.18 * static_cast<double>(i) + 0.3);
    plane.text(fmt::format("{} name", one.key), {names, y, 190, bar + 8}, s.word(fmt::format("part_{}", one.key)),
               Plane::Type::body);
    plane.line(fmt::format("{} line", one.key), middle, y + bar + 6, middle + wide, y + bar + 6);
    const double share = static_cast<double>(one.time) / total;
    plane
        .box(one.key == "kernel" ? "kernel" : fmt::format("{} bar", one.key),
             {middle + wide * at, y + 2, std::max(2.0, wide * share * eased(shown)), bar}, one.tone)
        .shown = shown > 0 ? 1 : 0;
    at += share;
    if (open) continue;
    PlaneItem& time = plane.text(fmt::format("{} time", one.key), {own, y, 116, bar + 8},
                                 time_text(static_cast<double>(one.time)), Plane::Type::heading, Plane::Align::right);
    time.shown = shown;
    time.tip = s.word(fmt::format("tip_{}", one.key));
    time.origin = one.origin;
    if (has_usual && !one.usual)
      plane
          .text(fmt::format("{} usual", one.key), {usual, y, 104, bar + 8}, s.word("not_known"), Plane::Type::label,
                Plane::Align::right, Tone::quiet)
          .shown = shown;
    if (one.usual) {
      PlaneItem& often = plane.text(fmt::format("{} usual", one.key), {usual, y, 104, bar + 8},
                                    time_text(static_cast<double>(*one.usual)), Plane::Type::heading,
                                    Plane::Align::right, Tone::quiet);
      often.shown = shown;
      often.tip = s.word("tip_usual");
      often.origin = Origin::derived;
    }
  }
  const double last = part(phase, 0.7, 1);
  if (const auto result = s.result()) {
    PlaneItem& value = plane.box("value", {names, y + 8, 180, 40}, Tone::followed,
                                 fmt::format("{} = {}", s.number.name(), short_number(*result)));
    value.type = Plane::Type::body;
    value.origin = Origin::derived;
  }
  if (!open) {
    PlaneItem& note =
        plane.text("receipt note", {middle, y + 4, view.right() - middle - 20, 50},
                   s.word(records_stacks(s) ? "receipt_stacks" : "receipt_total", {{"total", time_text(total)}}),
                   Plane::Type::body);
    note.shown = last;
    note.origin = Origin::derived;
  }
  return plane.take();
}

std::string receipt_section(const Tour& s) {
  return other_launches_of(s.trace(), s.walk()) ? "receipt" : "receipt.alone";
}

void receipt_values(const Tour& s, Narration::Values& values) {
  const std::array<ReceiptBar, 4> bars = receipt_bars(s);
  values.insert_or_assign("total", time_text(static_cast<double>(s.receipt.total())));
  values.insert_or_assign("kernel_time", time_text(static_cast<double>(s.receipt.kernel())));
  values.insert_or_assign("longest", s.word(fmt::format("part_{}", longest(bars).key)));
  values.insert_or_assign("longest_time", time_text(static_cast<double>(longest(bars).time)));
  values.insert_or_assign("launch_time", time_text(static_cast<double>(s.receipt.launch())));
  if (const auto usual = other_launches_of(s.trace(), s.walk())) {
    values.insert_or_assign("launches", with_thousands(static_cast<std::int64_t>(usual->count)));
    values.insert_or_assign("usual_launch", time_text(static_cast<double>(usual->call)));
  }
}

std::optional<Ask> receipt_question(const Tour& s) {
  const std::array<ReceiptBar, 4> bars = receipt_bars(s);
  const ReceiptBar& most = longest(bars);
  Options options;
  for (const ReceiptBar& one : bars) {
    if (&one == &most) options.right = options.words.size();
    options.words.push_back(s.word(fmt::format("part_{}", one.key)));
    options.keys.emplace_back(one.key);
  }
  return Ask{.key = "receipt", .about = "receipt", .options = std::move(options), .facts = {}};
}

// --- Step 24: the whole way.

namespace {

// A stop of the way: its two names, where it is, and the step that shows it.
struct TourStop {
  std::string_view name;  // of [name.NAME], or [tour.word] if there is none
  PlaneBox at;
  std::string_view step;
};

std::vector<TourStop> stops_of(const Tour& s) {
  const PlaneBox& cpu = world::cpu;
  const PlaneBox& sms = world::sms;
  const PlaneBox& memory = world::memory;
  constexpr double wide = 500, high = 130;
  const double y = cpu.y + 170;
  const PlaneBox own = world::sm(s.sm, s.sms());
  // In the half of the SMs that the followed one is not in.
  const double stop_y = own.y > sms.y + sms.height / 2 ? sms.y + 70 : sms.bottom() - high - 70;
  return {{"cpu", {cpu.x + 40, y, wide, high}, "call"},
          {"dispatcher", {cpu.x + 620, y, wide, high}, "dispatch"},
          {"driver", {cpu.x + 1200, y, wide, high}, "order"},
          {"stream", {cpu.x + 1780, y, wide, high}, "returns"},
          {"sms", {sms.x + 240, stop_y, wide, high}, "placed"},
          {"schedulers", {sms.x + 840, stop_y, wide, high}, "issue"},
          {"lanes", {sms.x + 1720, stop_y, wide, high}, "lanes"},
          {"memory", {memory.right() - 620, memory.y + 250, wide, high}, "memory"}};
}

// A change to try, and where it can be seen.
struct WhatIfCard {
  std::string_view key;
  CardLink link;
};

std::vector<WhatIfCard> what_if_cards(const Tour& s) {
  // Half as many threads in each block, if that leaves whole warps.
  const std::int64_t half = s.plan.threads / 2 / 32 * 32;
  std::vector<WhatIfCard> cards;
  if (half > 0) cards.push_back({"block", {"sm", "change", {fmt::format("sm.block={}", half)}, {}}});
  cards.push_back({"shared", {"lab/tiling", "bytes", {}, {}}});
  cards.push_back({"sms", {"launch", "tail", {"launch.gpu=2"}, {}}});
  return cards;
}

}  // namespace

PlanePicture whole_plane(const Tour& s, double phase) {
  // Beside the plane there is room for the cards.
  constexpr double cards_left = world::whole.width + 20, cards_wide = 1010;
  Plane plane({world::whole.x, world::whole.y, cards_left + cards_wide, world::whole.height});
  const Narration& narration = s.input.narration;
  plane.frame("cpu", world::cpu, Tone::host);
  plane.text("cpu title", {world::cpu.x + 24, world::cpu.y + 14, 1400, 70}, s.word("whole_cpu"), Plane::Type::heading);
  plane.frame("gpu", world::gpu, Tone::quiet);
  plane.frame("memory", world::memory, Tone::memory);
  plane.text("gpu name", {world::gpu.x + 20, world::gpu.y + 1, 1400, 49}, s.word("gpu"), Plane::Type::body);
  plane.box("l2", world::l2, Tone::quiet);
  draw_sheets(plane, s, "");
  draw_sms(plane, s, false, 0.6);
  const double names = part(phase, 0.35, 0.7);
  const std::vector<TourStop> stops = stops_of(s);
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const TourStop& stop = stops[i];
    PlaneItem& box = plane.box(fmt::format("stop {}", stop.name), stop.at, Tone::quiet);
    box.link.scene = "tour";
    box.link.beat = stop.step;
    plane.text(fmt::format("stop {} name", stop.name), stop.at.part(0.02, 0.06, 0.96, 0.46),
               name_in(narration, Naming::hardware, stop.name), Plane::Type::heading, Plane::Align::centre);
    plane
        .text(fmt::format("stop {} company", stop.name), stop.at.part(0.02, 0.55, 0.96, 0.36),
              s.word("in_company", {{"name", name_in(narration, Naming::company, stop.name)}}), Plane::Type::label,
              Plane::Align::centre, Tone::quiet)
        .shown = names;
    if (i > 0 && i < 4)
      plane.arrow(fmt::format("way {}", i), stops[i - 1].at.right() + 8, stop.at.y + stop.at.height / 2, stop.at.x - 8,
                  stop.at.y + stop.at.height / 2, Tone::plain);
  }
  const PlaneBox l2 = {world::l2.right() - 420, world::l2.y - 25, 400, 80};
  plane.box("stop l2", l2, Tone::quiet).link = {"tour", "latency", {}, {}};
  plane.text("stop l2 name", l2.part(0.02, 0.1, 0.96, 0.8), s.word("l2"), Plane::Type::heading, Plane::Align::centre);
  // From the stream to the followed SM, and from there to the number's place.
  const PlaneBox own = world::sm(s.sm, s.sms());
  const PlaneBox& stream = stops[3].at;
  plane.arrow("way down", stream.x + stream.width / 2, stream.bottom() + 6, own.right(), own.y + 10, Tone::plain);
  const world::Sheets sheets = world::sheets(s.product);
  const PlaneBox value_at = {sheets.c.right() + 120, sheets.c.y + 70, 560, 110};
  const auto result = s.result();
  PlaneItem& value =
      plane.box("value", value_at, Tone::followed,
                result ? fmt::format("{} = {}", s.number.name(), short_number(*result)) : s.number.name());
  value.type = Plane::Type::figure;
  if (result) value.origin = Origin::derived;
  value.link.scene = "tour";
  value.link.beat = "store";
  plane.arrow("way back", own.x + own.width / 2, own.bottom() + 4, value_at.x + value_at.width / 2, value_at.y - 6,
              Tone::followed);
  const PlaneBox cell = world::on_c(s.product, s.number.at.row, s.number.at.column, 1, 1);
  plane.line("value way", value_at.x, value_at.y + value_at.height / 2, cell.x, cell.y, Tone::followed);
  // What to try next.
  const double cards = part(phase, 0.55, 1);
  plane.text("what if", {cards_left + 10, 30, cards_wide - 40, 80}, s.word("what_if"), Plane::Type::heading).shown =
      cards;
  double y = 130;
  constexpr double card_high = 430, gap = 26;
  for (const WhatIfCard& card : what_if_cards(s)) {
    const PlaneBox at = {cards_left + 10, y, cards_wide - 40, card_high};
    PlaneItem& frame = plane.frame(fmt::format("card {}", card.key), at, Tone::plain);
    frame.shown = cards;
    frame.link = card.link;
    plane
        .text(fmt::format("card {} head", card.key), at.part(0.04, 0.05, 0.92, 0.2),
              s.word(fmt::format("card_{}", card.key)), Plane::Type::heading)
        .shown = cards;
    PlaneItem& text = plane.text(fmt::format("card {} text", card.key), at.part(0.04, 0.28, 0.92, 0.66),
                                 s.word(fmt::format("card_{}_text", card.key)), Plane::Type::body);
    text.at_top = true;
    text.shown = cards;
    y += card_high + gap;
  }
  return plane.take();
}

}  // namespace warpwalk::story
