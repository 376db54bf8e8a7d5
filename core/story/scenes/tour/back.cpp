// Chapter 5 of the tour: the kernel ends, the next one in the stream reads the number, and the CPU asks for the result.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/records/stream_record.h"
#include "core/story/elements/moment.h"
#include "core/story/facts/launch/input_values.h"
#include "core/story/facts/launch/relu_after.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/tour/placing.h"

namespace warpwalk::story {
namespace {

// --- Step 21: the kernel ends, and relu reads the cell.

// The lane of relu's kernel that reads the followed number, and its elements.
struct Reader {
  ReluAfter relu;
  std::int64_t block = 0, warp = 0, lane = 0;
  std::uint32_t sm = 0;  // of its block
  struct Element {
    std::int64_t row = 0, column = 0;
    float value = 0;
    float kept() const { return std::max(value, 0.0f); }
  };
  std::vector<Element> elements;
  std::size_t followed = 0;  // of `elements`
};

std::optional<Reader> reader_of(const Tour& s) {
  const std::optional<ReluAfter> relu = relu_after(s.trace(), s.walk());
  if (!relu) return {};
  const Walk after = follow_op(s.trace(), relu->op);
  const trace::KernelDetail* const detail = kernel_detail(s.trace(), after);
  if (detail == nullptr || detail->block[0] <= 0) return {};
  Reader reader;
  reader.relu = *relu;
  const std::int64_t element = s.number.at.row * relu->columns + s.number.at.column;
  const std::int64_t thread = element / relu->width;
  const std::int64_t threads =
      std::int64_t{detail->block[0]} * std::max(detail->block[1], 1) * std::max(detail->block[2], 1);
  reader.block = thread / threads;
  reader.warp = thread % threads / 32;
  reader.lane = thread % 32;
  reader.followed = static_cast<std::size_t>(element % relu->width);
  for (std::int64_t i = thread * relu->width; i < std::min((thread + 1) * relu->width, relu->rows * relu->columns); ++i)
    reader.elements.push_back(
        {i / relu->columns, i % relu->columns, s.product.sums(i / relu->columns, i % relu->columns).back()});
  const SceneInput next{s.trace(), after, s.input.narration, s.input.hardware, s.input.moment};
  if (const auto plan = launch_plan(next, Placed::first_wave))
    if (const auto placed =
            std::ranges::find(plan->placed, static_cast<std::uint64_t>(reader.block), &PlacedBlock::block);
        placed != plan->placed.end() && placed->sm < s.sms())
      reader.sm = placed->sm;
  return reader;
}

// The GPU while the last blocks leave it. `ended`: 0 to 1.
PlanePicture drained(const Tour& s, double ended) {
  Plane plane(world::gpu);
  draw_gpu(plane, s);
  draw_sheets(plane, s, "");
  draw_sms(plane, s, false);
  const Placing placing = placing_of(s);
  const bool timed = !placing.times.blocks.empty();
  // From the start of the last block on.
  const auto last = placing.times.last_started();
  const double from = last ? static_cast<double>(last->start) : 0,
               until = std::max(from + 1, static_cast<double>(placing.times.end));
  const double now = from + ended * 1.2 * (until - from);
  for (std::uint64_t block = 0; block < placing.first.size(); ++block) {
    const PlaneBox home = world::tile(s.product, block).grown(-0.5), slot = placing.slot_of(s, block).value_or(home);
    const BlockTime* const time = placing.time_of(block);
    const double order = static_cast<double>(block) / static_cast<double>(placing.first.size());
    const double way = timed && time != nullptr
                           ? std::clamp((now - static_cast<double>(time->end)) / (0.2 * (until - from)), 0.0, 1.0)
                           : part(ended, 0.6 * order, 0.6 * order + 0.4);
    const Tone resident = block == s.block ? Tone::followed : Tone::work;
    plane.box(fmt::format("block {}", block), world::on_way(slot, home, eased(way)), way > 0 ? Tone::memory : resident);
  }
  constexpr double y = world::gpu.y + 8, high = 40;
  plane.text("stream name", {860, y, 300, high}, s.word("stream_order"), Plane::Type::body, Plane::Align::right);
  plane.box("kernel", {1180, y, 520, high}, ended < 1 ? Tone::work : Tone::quiet,
            s.word(ended < 1 ? "kernel_runs" : "kernel_ended", {{"name", launched_kernel(s)}}));
  if (const auto relu = relu_after(s.trace(), s.walk()))
    plane.box("next kernel", {1720, y, 620, high}, ended < 1 ? Tone::quiet : Tone::work,
              s.word(ended < 1 ? "kernel_waits" : "kernel_runs", {{"name", s.word("relu")}}));
  const world::Sheets sheets = world::sheets(s.product);
  const auto result = s.result();
  if (result)
    plane
        .box("value", {sheets.c.right() + 60, sheets.c.y + 60, 620, 60}, Tone::followed,
             fmt::format("{} = {}", s.number.name(), short_number(*result)))
        .type = Plane::Type::figure;
  return plane.take();
}

// The lane of relu with its elements: `read` 0 to 1, then `kept` 0 to 1.
PlanePicture reading(const Tour& s, const Reader& reader, double read, double kept) {
  const PlaneBox sm = world::sm(reader.sm, s.sms());
  Plane plane(sm);
  plane.frame(fmt::format("sm {}", reader.sm), sm, Tone::quiet);
  const Narration::Values values = {{"n", fmt::to_string(reader.sm)},
                                    {"warp", with_thousands(reader.warp)},
                                    {"block", with_thousands(reader.block)},
                                    {"lane", fmt::to_string(reader.lane)},
                                    {"width", fmt::to_string(reader.elements.size())}};
  plane.text("sm name", sm.part(0.02, 0.02, 0.6, 0.07), s.word("sm_relu", values), Plane::Type::heading);
  plane.text("relu warp", sm.part(0.02, 0.11, 0.6, 0.06), s.word("relu_warp", values), Plane::Type::body);
  const bool one = reader.elements.size() == 1;
  constexpr int lanes = 32;
  for (int lane = 0; lane < lanes; ++lane)
    plane.box(fmt::format("relu lane {}", lane), sm.part(0.02 + 0.03 * lane, 0.18, 0.0285, 0.1),
              lane == reader.lane ? Tone::followed : Tone::work, fmt::to_string(lane));
  // The lane opens into its elements: what it reads above, what it writes below.
  const double count = static_cast<double>(reader.elements.size());
  const double each = std::min(0.16, 0.66 / std::max(count, 1.0)), left = 0.26;
  const PlaneBox at = sm.part(left - 0.01, 0.33, each * count + 0.02, 0.63);
  const PlaneBox lane_box = sm.part(0.02 + 0.03 * static_cast<double>(reader.lane), 0.18, 0.0285, 0.1);
  plane.frame("relu lane", at, Tone::followed);
  plane.line("relu lane left", lane_box.x, lane_box.bottom(), at.x, at.y, Tone::followed);
  plane.line("relu lane right", lane_box.right(), lane_box.bottom(), at.right(), at.y, Tone::followed);
  plane.text("relu reads", sm.part(0.02, 0.43, 0.22, 0.15), s.word(one ? "relu_reads.one" : "relu_reads", values),
             Plane::Type::body);
  plane.text("relu keeps", sm.part(0.02, 0.61, 0.22, 0.1), s.word("relu_keeps", values), Plane::Type::body).shown =
      kept;
  plane
      .text("relu writes", sm.part(0.02, 0.77, 0.22, 0.15), s.word(one ? "relu_writes.one" : "relu_writes", values),
            Plane::Type::body)
      .shown = kept;
  for (std::size_t i = 0; i < reader.elements.size(); ++i) {
    const Reader::Element& element = reader.elements[i];
    const bool followed = i == reader.followed;
    const PlaneBox column = sm.part(left + each * static_cast<double>(i), 0.33, each, 0.63);
    const double reached = part(read, 0, 1), written = part(kept, 0.3, 1);
    plane.text(fmt::format("element {} name", i), column.part(0.05, 0.03, 0.9, 0.11),
               fmt::format("c[{}, {}]", element.row, element.column), Plane::Type::body, Plane::Align::centre,
               followed ? Tone::followed : Tone::plain);
    PlaneItem& value = plane.box(followed ? "value" : fmt::format("element {}", i), column.part(0.06, 0.16, 0.88, 0.24),
                                 followed ? Tone::followed : Tone::memory, short_number(element.value));
    value.type = Plane::Type::figure;
    value.shown = followed ? std::max(reached, 0.6) : reached;
    value.tip = s.word("tip_element");
    value.origin = Origin::derived;
    plane
        .arrow(fmt::format("element {} way", i), column.x + column.width / 2, column.y + column.height * 0.43,
               column.x + column.width / 2, column.y + column.height * 0.67, followed ? Tone::followed : Tone::work)
        .shown = part(kept, 0, 0.4);
    PlaneItem& result = plane.box(fmt::format("element {} result", i), column.part(0.06, 0.7, 0.88, 0.24),
                                  followed ? Tone::followed : Tone::work, short_number(element.kept()));
    result.type = Plane::Type::figure;
    result.shown = written;
  }
  return plane.take();
}

}  // namespace

PlanePicture relu_plane(const Tour& s, double phase) {
  const std::optional<Reader> reader = reader_of(s);
  if (!reader) return drained(s, part(phase, 0.05, 0.95));
  constexpr double drains = 0.35, arrives = 0.6;
  if (phase < drains) return drained(s, phase / drains);
  if (phase < arrives) return between(drained(s, 1), reading(s, *reader, 0, 0), part(phase, drains, arrives));
  return reading(s, *reader, part(phase, arrives, 0.75), part(phase, 0.75, 1));
}

std::string relu_section(const Tour& s) {
  const std::optional<Reader> reader = reader_of(s);
  return !reader ? "relu.none" : reader->elements.size() == 1 ? "relu.one" : "relu";
}

void relu_values(const Tour& s, Narration::Values& values) {
  const std::optional<Reader> reader = reader_of(s);
  if (!reader) return;
  values.insert_or_assign("relu_lane", with_thousands(reader->lane));
  values.insert_or_assign("relu_width", with_thousands(static_cast<std::int64_t>(reader->elements.size())));
  const Reader::Element& own = reader->elements[reader->followed];
  values.insert_or_assign("relu_result", short_number(own.kept()));
}

// --- Step 22: the CPU asks for the result.

namespace {

// One piece of work on a time line. Times in ns.
struct Piece {
  std::string id, name;
  double from = 0, until = 0;
  Tone tone = Tone::host;
  bool gpu = false;
  std::optional<Origin> origin = {};  // of a time in the name
};

// Two lines of one time, CPU and GPU, in a box; names that do not fit into their bar stand over it.
void draw_lines(Plane& plane, const Tour& s, std::string_view id, const PlaneBox& at, const std::vector<Piece>& pieces,
                double until, double shown) {
  constexpr double names = 70;
  const double high = (at.height - 56) / 2;
  const PlaneBox cpu = {at.x + names, at.y + 26, at.width - names, high};
  const PlaneBox gpu = {cpu.x, at.bottom() - high, cpu.width, high};
  const auto name_of = [&](std::string_view part) { return fmt::format("{} {}", id, part); };
  plane.text(name_of("cpu name"), {at.x, cpu.y, names - 8, high}, s.word("cpu"), Plane::Type::body).shown = shown;
  plane.text(name_of("gpu name"), {at.x, gpu.y, names - 8, high}, s.word("gpu_short"), Plane::Type::body).shown = shown;
  plane.line(name_of("cpu line"), cpu.x, cpu.bottom() + 2, cpu.right(), cpu.bottom() + 2).shown = shown;
  plane.line(name_of("gpu line"), gpu.x, gpu.bottom() + 2, gpu.right(), gpu.bottom() + 2).shown = shown;
  for (const Piece& piece : pieces) {
    const PlaneBox& line = piece.gpu ? gpu : cpu;
    const double x = line.x + line.width * piece.from / until;
    const double wide = std::max(3.0, line.width * (piece.until - piece.from) / until);
    constexpr double letter = 7.4;  // plane units for each letter of a name, at most
    const double name_wide = letter * static_cast<double>(piece.name.size()) + 8;
    const bool inside = name_wide <= wide;
    PlaneItem& box =
        plane.box(name_of(piece.id), {x, line.y, wide, line.height}, piece.tone, inside ? piece.name : std::string());
    box.shown = shown;
    if (inside) box.origin = piece.origin;
    if (inside || piece.name.empty()) continue;
    const double left = std::clamp(x + wide / 2 - name_wide / 2, line.x, line.right() - name_wide);
    PlaneItem& name = plane.text(name_of(piece.id + " name"), {left, line.y - 24, name_wide, 22}, piece.name,
                                 Plane::Type::label, Plane::Align::centre);
    name.shown = shown;
    name.origin = piece.origin;
  }
}

// The lines of this trace, from the launch call to the end of the call that waits.
struct OwnLines {
  std::vector<Piece> pieces;
  double until = 1;
  double done = 0, asked = 0;  // the end of the last kernel, and the start of the call
};

OwnLines own_lines(const Tour& s, const Aftermath& after) {
  const auto& rows = s.trace().slices;
  const std::int64_t base = s.receipt.launch_start;
  OwnLines lines;
  const auto add = [&](std::string id, std::string name, std::int64_t from, std::int64_t until, Tone tone, bool gpu) {
    lines.pieces.push_back({std::move(id), std::move(name), static_cast<double>(from - base),
                            static_cast<double>(until - base), tone, gpu});
    lines.until = std::max(lines.until, static_cast<double>(until - base));
    if (gpu) lines.done = std::max(lines.done, static_cast<double>(until - base));
  };
  add("launch", s.word("launch_call"), s.receipt.launch_start, s.receipt.launch_end, Tone::host, false);
  add("kernel", launched_kernel(s), s.receipt.kernel_start, s.receipt.kernel_end, Tone::work, true);
  if (const auto relu = relu_after(s.trace(), s.walk()); relu && has_time(s.trace(), relu->kernel)) {
    add("next op", s.word("relu_op"), rows.start[relu->op], rows.end(relu->op), Tone::host, false);
    add("next kernel", s.word("relu"), rows.start[relu->kernel], rows.end(relu->kernel), Tone::work, true);
  }
  if (after.wait != no_slice) {
    lines.asked = static_cast<double>(rows.start[after.wait] - base);
    add("wait", std::string(s.trace().name(after.wait)), rows.start[after.wait], rows.end(after.wait), Tone::barrier,
        false);
  }
  lines.until *= 1.02;
  return lines;
}

// A recorded program whose CPU waits for a long kernel; none without the record.
std::vector<Piece> long_lines(const Tour& s, double& until, double& waited) {
  if (s.input.hardware.streams == nullptr) return {};
  std::vector<Piece> pieces;
  int kernels = 0;
  for (const records::RecordedStep& step : s.input.hardware.streams->program("sync_stream")) {
    if (step.stream != 1) continue;
    if (step.kind == "kernel") {
      if (!step.start || !step.end) return {};
      ++kernels;
      pieces.push_back(
          {fmt::format("launch {}", kernels), s.word("launch_call"), step.call, step.returned, Tone::host, false});
      pieces.push_back({fmt::format("kernel {}", kernels),
                        s.word("kernel_of", {{"time", time_text(*step.end - *step.start)}}), *step.start, *step.end,
                        Tone::work, true, Origin::measured});
      until = std::max({until, *step.end, step.returned});
    } else if (step.kind == "sync_stream") {
      pieces.push_back({"wait", s.word("cpu_waits"), step.call, step.returned, Tone::barrier, false});
      waited = step.returned - step.call;
      until = std::max(until, step.returned);
      break;
    }
  }
  until *= 1.02;
  return waited > 0 ? pieces : std::vector<Piece>{};
}

}  // namespace

PlanePicture wait_plane(const Tour& s, double phase) {
  Plane plane(world::cpu_view);
  const PlaneBox& view = world::cpu_view;
  plane.frame("cpu", world::cpu, Tone::host);
  const Aftermath after = aftermath_of(s.trace(), s.walk(), s.receipt);
  const OwnLines own = own_lines(s, after);
  constexpr double left = 16, wide = 930;
  plane
      .text("own name", {view.x + left, view.y + 8, 380, 26},
            s.word("own_run", {{"time", time_text(own.until / 1.02)}}), Plane::Type::body)
      .origin = Origin::derived;
  const PlaneBox own_box = {view.x + left, view.y + 40, wide, 146};
  draw_lines(plane, s, "own", own_box, own.pieces, own.until, part(phase, 0, 0.4));
  // After relu, the number that the program waits for is relu's.
  const std::optional<Reader> reader = reader_of(s);
  if (const auto result = s.result()) {
    const std::string number = s.number.name();
    const std::string text =
        reader ? fmt::format("relu({}) = {}", number, short_number(reader->elements[reader->followed].kept()))
               : fmt::format("{} = {}", number, short_number(*result));
    PlaneItem& value = plane.box("value", {view.x + 420, view.y + 6, 240, 28}, Tone::followed, text);
    value.type = Plane::Type::body;
    value.tip = s.word("tip_element");
    value.origin = Origin::derived;
  }
  double until = 1, waited = 0;
  const std::vector<Piece> pieces = long_lines(s, until, waited);
  if (pieces.empty()) return plane.take();
  const double second = part(phase, 0.5, 0.9);
  plane.line("between", view.x + left, view.y + 204, view.right() - left, view.y + 204).shown = second;
  plane.text("long name", {view.x + left, view.y + 212, 700, 26}, s.word("long_run"), Plane::Type::body).shown = second;
  PlaneItem& lab =
      plane.frame("long lab", {view.right() - 226, view.y + 210, 202, 28}, Tone::quiet, s.word("to_streams"));
  lab.shown = second;
  lab.link.scene = "lab/streams";
  lab.link.beat = "sync";
  draw_lines(plane, s, "long", {view.x + left, view.y + 240, wide, 160}, pieces, until, second);
  return plane.take();
}

std::string wait_section(const Tour& s) {
  const Aftermath after = aftermath_of(s.trace(), s.walk(), s.receipt);
  return after.wait == no_slice ? "wait.none" : after.waited ? "wait.waited" : "wait";
}

void wait_values(const Tour& s, Narration::Values& values) {
  const Aftermath after = aftermath_of(s.trace(), s.walk(), s.receipt);
  if (after.wait == no_slice) return;
  const OwnLines own = own_lines(s, after);
  const auto& rows = s.trace().slices;
  values.insert_or_assign("wait_call", std::string(s.trace().name(after.wait)));
  values.insert_or_assign("wait_time", time_text(static_cast<double>(rows.duration[after.wait])));
  values.insert_or_assign("before_call", time_text(own.asked - own.done));
}

}  // namespace warpwalk::story
