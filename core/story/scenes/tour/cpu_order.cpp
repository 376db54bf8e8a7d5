// Chapter 2 of the tour, last part: the order in its stream, the return of the call.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/names/kernel_name.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/moment.h"
#include "core/story/scenes/tour/cpu.h"

namespace warpwalk::story {
namespace {

// --- Step 7: the order.

// The parts of a launch, each with its key and its text.
std::vector<std::pair<std::string_view, std::string>> order_lines(const Tour& s) {
  std::vector<std::pair<std::string_view, std::string>> lines;
  const trace::KernelRecord* const record = kernel_record(s.trace(), s.walk());
  lines.emplace_back("grid",
                     s.word("order_grid", {{"shape", analysis::shape_text(s.plan.launched_grid)},
                                           {"blocks", with_thousands(static_cast<std::int64_t>(s.plan.blocks))}}));
  lines.emplace_back("block", s.word("order_block", {{"shape", analysis::shape_text(s.plan.launched_block)},
                                                     {"threads", with_thousands(s.plan.threads)}}));
  if (record != nullptr)
    lines.emplace_back("shared",
                       s.word("order_shared",
                              {{"bytes", shared_bytes_text(static_cast<std::int64_t>(record->dynamic_shared_bytes))}}));
  else if (s.plan.shared == 0)
    lines.emplace_back("shared", s.word("order_shared", {{"bytes", shared_bytes_text(0)}}));
  const bool sized = record != nullptr && record->state && !record->state->parameters.empty();
  lines.emplace_back(
      "arguments", sized
                       ? s.word("order_argument_bytes",
                                {{"bytes", byte_count(s, static_cast<std::int64_t>(record->state->parameters.size()))}})
                       : s.word("order_arguments"));
  return lines;
}

bool waited(const Tour& s) { return s.receipt.ahead.count > 0; }

// Where the order waits for the GPU to take it.
constexpr PlaneBox front_end = {650, 600, 330, 62};
constexpr double front_end_pad = 11;

// --- Step 8: the return.

// A launch on two lines of time.
struct LaunchTimes {
  double call = 0, start = 0, kernel = 0;  // ns; start: after the call's return
  double total() const { return std::max(call, call + start + kernel); }
};

LaunchTimes own_times(const Tour& s) {
  const Receipt& r = s.receipt;
  return {static_cast<double>(r.launch_end - r.launch_start), static_cast<double>(r.kernel_start - r.launch_end),
          static_cast<double>(r.kernel())};
}

std::optional<LaunchTimes> usual_times(const Tour& s) {
  const auto others = other_launches_of(s.trace(), s.walk());
  if (!others) return {};
  return LaunchTimes{static_cast<double>(others->call), static_cast<double>(others->start),
                     static_cast<double>(others->kernel)};
}

// What the CPU does after the call: the next op where it begins, or Python at the end of the line.
struct NextWork {
  std::string name;
  double start = -1, end = 0;  // ns after the call's start; -1: not an op
};

NextWork next_work(const Tour& s) {
  const SliceId next = op_after(s);
  if (next == no_slice) return {s.word("python_on")};
  const auto& rows = s.trace().slices;
  const std::int64_t from = s.receipt.launch_start;
  return {std::string(s.trace().name(next)), static_cast<double>(rows.start[next] - from),
          static_cast<double>(rows.end(next) - from)};
}

// The CPU's line from the return on.
void draw_next(Plane& plane, const std::string& id, const NextWork& next, double x, double returned, double y,
               double high, double until, double scale, double ran) {
  constexpr double least = 70, unscaled = 110;
  const double now = x + (until - x) * ran;
  const bool to_scale = next.start >= 0 && x + next.start * scale < until - least;
  const double begins = to_scale ? x + next.start * scale : next.name.empty() ? until : until - unscaled;
  plane.arrow(id + " goes on", returned, y + high / 2, std::min(now, begins), y + high / 2, Tone::host);
  if (next.name.empty() || now <= begins) return;
  const double ends = to_scale ? std::min(until, x + next.end * scale) : until;
  const PlaneBox box = {begins, y, std::min(now, ends) - begins, high};
  plane.box("next op", box, Tone::host, box.width < least ? std::string() : next.name);
}

// One launch in a column from x on: the CPU's line above, the GPU's below. `until`: where the CPU's line ends.
void draw_launch(Plane& plane, const Tour& s, const std::string& id, const LaunchTimes& times, double x, double until,
                 double scale, double ran, double gpu, bool open, const NextWork& next) {
  constexpr double cpu_y = 330, gpu_y = 510, high = 56;
  const double returned = x + times.call * scale, begins = returned + times.start * scale;
  const std::string call = std::string(s.trace().name(s.walk().launch));
  const double now = x + (until - x) * ran;
  plane.box(id == "own" ? "call" : "usual call", {x, cpu_y, std::max(2.0, std::min(returned, now) - x), high},
            Tone::host,
            now < returned ? std::string()
            : id == "own"  ? call
                           : std::string());
  PlaneItem& took = plane.text(id + " time", {x, cpu_y - 36, 240, 32}, time_text(times.call), Plane::Type::heading);
  took.shown = now >= returned ? 1 : 0;
  took.tip = s.word(id == "own" ? "tip_call" : "tip_usual_call");
  took.origin = id == "own" ? s.recorded() : Origin::derived;
  plane.line(id + " return", returned, cpu_y - 8, returned, gpu_y + high + 8, Tone::host).shown =
      now >= returned ? 1 : 0;
  if (now > returned) draw_next(plane, id, next, x, returned, cpu_y, high, until, scale, ran);
  // The order of this launch comes from where the step before has left it.
  const PlaneBox place = {begins, gpu_y, std::max(3.0, times.kernel * scale), high};
  const bool own = id == "own";
  if (!open && (own || gpu > 0)) {
    PlaneItem& kernel =
        own ? plane.box("kernel", world::on_way(front_end.grown(-front_end_pad), place, eased(gpu)), Tone::work)
            : plane.box("usual kernel", place, Tone::work);
    kernel.shown = own ? 1 : gpu;
    kernel.tip = s.word(own ? "tip_own_kernel" : "tip_usual_kernel");
  }
  if (gpu <= 0) return;
  const double kernel_right = place.right();
  plane.text(id + " kernel name", {kernel_right + 8, gpu_y, 140, high}, launched_kernel(s), Plane::Type::body).shown =
      gpu;
  const std::string key = std::abs(times.start) < clock_accuracy ? "begun_same"
                          : times.start < 0                      ? "begun_before"
                                                                 : "begun_after";
  PlaneItem& gap = plane.text(id + " gap", {x, gpu_y + high + 10, until - x, 30},
                              s.word(key, {{"time", time_text(std::abs(times.start))}}), Plane::Type::heading);
  gap.shown = gpu;
  gap.tip = s.word(id == "own" ? "tip_gap" : "tip_usual_gap");
  gap.origin = Origin::derived;
}

}  // namespace

PlanePicture order_plane(const Tour& s, double phase) {
  Plane plane(world::border_view);
  const PlaneBox& view = world::border_view;
  plane.frame("cpu", world::cpu, Tone::host);
  plane.frame("gpu", world::gpu, Tone::quiet);
  plane.text("cpu name", {view.x + 16, view.y + 4, 90, 30}, s.word("cpu"), Plane::Type::heading, Plane::Align::left,
             Tone::quiet);
  // The card with the order.
  const PlaneBox card = {view.x + 16, 272, 560, 168};
  plane.frame("order", card, Tone::host);
  const auto lines = order_lines(s);
  const double each = (card.height - 44) / static_cast<double>(std::max<std::size_t>(lines.size(), 1));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    PlaneItem& text = plane.text(fmt::format("order {}", lines[i].first),
                                 {card.x + 14, card.y + 42 + each * static_cast<double>(i), card.width - 28, each},
                                 lines[i].second, Plane::Type::body);
    text.shown = part(phase, 0.08 * static_cast<double>(i), 0.08 * static_cast<double>(i) + 0.1);
    text.tip = s.word(fmt::format("tip_order_{}", lines[i].first));
    text.origin = s.recorded();
  }
  // The stream, from the CPU to the front end of the GPU.
  const PlaneBox stream = {650, 272, 330, 296}, end = front_end;
  plane.frame("stream", stream, Tone::host);
  plane.text("stream name", {stream.x + 12, view.y + 4, stream.width - 12, 30},
             s.word("stream", {{"stream", analysis::stream_name(s.trace(), s.trace().slices.track[s.walk().kernel])}}),
             Plane::Type::heading);
  plane.arrow("stream way", stream.x + stream.width / 2, stream.bottom(), end.x + end.width / 2, end.y, Tone::host);
  plane.frame("front end", end, Tone::work);
  const bool behind = waited(s);
  const double entered = eased(part(phase, 0.4, 0.6)), crossed = behind ? 0 : eased(part(phase, 0.6, 0.9));
  const PlaneBox title = {card.x + 14, card.y + 6, 250, 34},
                 first = {stream.x + 30, stream.y + 16, stream.width - 60, 40};
  const PlaneBox head = {stream.x + 30, stream.bottom() - 52, stream.width - 60, 40}, taken = end.grown(-front_end_pad);
  for (std::size_t i = 0; behind && i < std::min<std::size_t>(s.receipt.ahead.count, 3); ++i)
    plane.box(fmt::format("ahead {}", i), {head.x, head.y - 48 * static_cast<double>(i), head.width, 40}, Tone::quiet,
              i == 0 ? s.word("ahead") : std::string());
  PlaneBox at = world::on_way(title, first, entered);
  if (crossed > 0) at = world::on_way(first, taken, crossed);
  plane.text("front end name", {360, 600, 280, 62}, s.word("front_end"), Plane::Type::body, Plane::Align::right);
  plane.text("order kernel", title, s.word("order_kernel", {{"kernel", launched_kernel(s)}}), Plane::Type::heading)
      .shown = part(entered, 0, 0.5);
  PlaneItem& kernel = plane.box("kernel", at, Tone::work, launched_kernel(s));
  kernel.type = Plane::Type::heading;
  plane
      .text("ahead name", {stream.x + 12, stream.y + 100, stream.width - 24, 60},
            s.word(behind ? "some_ahead" : "none_ahead",
                   {{"n", with_thousands(static_cast<std::int64_t>(s.receipt.ahead.count))}}),
            Plane::Type::body, Plane::Align::centre)
      .shown = behind ? part(phase, 0.6, 0.8) : part(phase, 0.8, 1);
  PlaneItem& other = plane.frame("other case", {view.x + 16, 486, 560, 100}, Tone::plain, s.word("waits_behind"));
  other.type = Plane::Type::body;
  other.link.scene = "lab/streams";
  other.shown = part(phase, 0.85, 1);
  return plane.take();
}

std::string order_section(const Tour& s) { return waited(s) ? "order.behind" : "order"; }

void order_values(const Tour& s, Narration::Values& values) {
  values.insert_or_assign("ahead", with_thousands(static_cast<std::int64_t>(s.receipt.ahead.count)));
}

PlanePicture returns_plane(const Tour& s, double phase) {
  Plane plane(world::border_view);
  const PlaneBox& view = world::border_view;
  plane.frame("cpu", world::cpu, Tone::host);
  plane.frame("gpu", world::gpu, Tone::quiet);
  plane.text("cpu name", {view.x + 16, view.y + 4, 90, 30}, s.word("cpu"), Plane::Type::heading, Plane::Align::left,
             Tone::quiet);
  plane.text("gpu name", {view.x + 16, view.bottom() - 32, 620, 30}, s.word("gpu"), Plane::Type::heading,
             Plane::Align::left, Tone::quiet);
  const LaunchTimes own = own_times(s);
  const auto usual = usual_times(s);
  const auto others = other_launches_of(s.trace(), s.walk());
  const bool open = open_question(s, returns_question(s));
  const double left = view.x + 18, middle = usual ? 650 : view.right() - 16, right = view.right() - 16;
  const double own_until = middle - 30, second = middle + 14;
  // One scale for both.
  double scale = (own_until - left - 130) / std::max(own.total(), 1.0);
  if (usual) scale = std::min(scale, (right - second - 40) / std::max(usual->total(), 1.0));
  const double gpu = open ? 0 : part(phase, 0.7, 0.9);
  plane.text("own name", {left + 110, view.y + 8, own_until - left - 110, 32}, s.word("own_launch"),
             Plane::Type::heading);
  draw_launch(plane, s, "own", own, left, own_until, scale, part(phase, 0, 0.7), gpu, open, next_work(s));
  if (usual) {
    plane
        .text("usual name", {second, view.y + 8, right - second, 32},
              s.word("usual_launch", {{"n", with_thousands(static_cast<std::int64_t>(others->count))}}),
              Plane::Type::heading)
        .tip = s.word("tip_others");
    draw_launch(plane, s, "usual", *usual, second, right, scale, part(phase, 0.3, 0.7), gpu, open, {});
  }
  return plane.take();
}

std::string returns_section(const Tour& s) {
  const auto others = other_launches_of(s.trace(), s.walk());
  if (!others) return "returns.alone";
  constexpr std::int64_t far = 2;
  const bool longer = s.receipt.launch_end - s.receipt.launch_start >= far * others->call;
  const trace::KernelRecord* const record = kernel_record(s.trace(), s.walk());
  if (!longer) return "returns";
  return record != nullptr && record->state ? "returns.inside" : "returns.longer";
}

void returns_values(const Tour& s, Narration::Values& values) {
  values.insert_or_assign("api", std::string(s.trace().name(s.walk().launch)));
  values.insert_or_assign("own_call", time_text(own_times(s).call));
  if (const auto others = other_launches_of(s.trace(), s.walk())) {
    values.insert_or_assign("usual_call", time_text(static_cast<double>(others->call)));
    const std::size_t begun = others->begun + (s.receipt.kernel_start < s.receipt.launch_end ? 1 : 0);
    values.insert_or_assign("launches", with_thousands(static_cast<std::int64_t>(others->count + 1)));
    values.insert_or_assign("begun", with_thousands(static_cast<std::int64_t>(begun)));
  }
}

std::optional<Ask> returns_question(const Tour& s) {
  Ask asked{"returns", "", {}, {}};
  for (const std::string_view key : {"always", "perhaps", "done"}) {
    asked.options.words.push_back(s.word(fmt::format("answer_{}", key)));
    asked.options.keys.emplace_back(key);
  }
  asked.options.right = 1;
  return asked;
}

}  // namespace warpwalk::story
