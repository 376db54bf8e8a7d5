// Chapter 2 of the tour, third part: the compiled kernel.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/gpu/device/compute_capability.h"
#include "core/story/elements/moment.h"
#include "core/story/facts/code/linked_code.h"
#include "core/story/scenes/tour/cpu.h"

namespace warpwalk::story {

namespace {

// One line of the source, and one instruction of each kind that does its work.
struct ThreeForms {
  std::array<std::string, 3> lines;   // source, PTX, machine code; empty: not in the trace
  std::array<std::int64_t, 3> all{};  // lines or instructions that the source line became
  std::int64_t number = 0, instructions = 0;
  std::string target;  // "sm_90"
  bool complete() const {
    return std::ranges::none_of(lines, [](const std::string& line) { return line.empty(); });
  }
};

// Without indent and semicolon, and with single spaces.
std::string single_spaced(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, text.find_last_not_of(" \t;") + 1)) {
    const bool space = c == ' ' || c == '\t';
    if (!space)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

// The lit line that multiplies and adds, else the first lit one.
std::string chosen_line(const CodeWindow& window, std::string_view opcode) {
  std::string first;
  for (const CodeLine& line : window.lines) {
    if (!line.lit) continue;
    if (line.text.find(opcode) != std::string::npos) return single_spaced(line.text);
    if (first.empty()) first = single_spaced(line.text);
  }
  return first;
}

// The name of a form: of PTX also which GPUs it is for.
std::string form_key(std::string_view form, std::string_view target) {
  if (form != "ptx") return fmt::format("form_{}", form);
  using Scope = gpu::CodeTarget::Scope;
  const auto read = gpu::parse_target(target);
  if (!read) return "form_ptx_some";
  return read->scope == Scope::architecture ? "form_ptx_one"
         : read->scope == Scope::family     ? "form_ptx_family"
                                            : "form_ptx";
}

ThreeForms three_forms(const Tour& s) {
  ThreeForms forms;
  const trace::Module* const module = module_of(s.trace(), s.walk());
  const trace::KernelRecord* const record = kernel_record(s.trace(), s.walk());
  if (module == nullptr || record == nullptr) return forms;
  constexpr std::size_t all_lines = 4096;
  const CodeView view = code_view(*module, record->entry, 0, all_lines);
  forms.lines = {chosen_line(view.source, ""), chosen_line(view.ptx, "fma"), chosen_line(view.sass, "FFMA")};
  forms.all = {1, view.ptx.lit_lines, view.sass.lit_lines};
  forms.number = view.line;
  forms.instructions = view.sass.all_lines;
  forms.target = view.target;
  return forms;
}

// The call that loaded code last before the first launch of the kernel in the trace; none if there is none.
SliceId loading_call(const Tour& s) {
  const auto& rows = s.trace().slices;
  std::int64_t first = rows.start[s.walk().launch];
  for (const auto& [launch, work] : s.trace().launched)
    if (rows.name[work] == rows.name[s.walk().kernel]) first = std::min(first, rows.start[launch]);
  SliceId found = no_slice;
  const trace::Track& track = s.trace().tracks[rows.track[s.walk().launch]];
  for (SliceId slice = track.first; slice < track.last && rows.start[slice] < first; ++slice) {
    const std::string_view name = s.trace().name(slice);
    if (trace::is_call(rows.kind[slice]) &&
        (name.find("ModuleLoad") != name.npos || name.find("LibraryLoad") != name.npos))
      found = slice;
  }
  return found;
}

}  // namespace

PlanePicture compiled_plane(const Tour& s, double phase) {
  Plane plane(world::driver_view);
  const PlaneBox& view = world::driver_view;
  plane.frame("cpu", world::cpu, Tone::host);
  const ThreeForms forms = three_forms(s);
  const bool open = open_question(s, compiled_question(s));
  constexpr std::array<std::string_view, 3> keys = {"source", "ptx", "sass"};
  const double left = view.x + 16, wide = view.width - 32, name_wide = 190, high = 62, gap = 34;
  double y = view.y + 20;
  for (std::size_t i = 0; i < keys.size(); ++i, y += high + gap) {
    const double lit = part(phase, 0.3 * static_cast<double>(i), 0.3 * static_cast<double>(i) + 0.15);
    const std::string id = fmt::format("{} form", keys[i]);
    plane.text(id + " name", {left, y, name_wide, high},
               s.word(form_key(keys[i], forms.target), {{"target", forms.target}}), Plane::Type::body);
    const std::string line = forms.lines[i].empty() ? s.word("form_missing") : forms.lines[i];
    const double chip = i == 0 ? 104 : 0;  // the followed number stands beside the line that computes it
    const PlaneBox at = {left + name_wide + 10, y, wide - name_wide - 10 - chip, high};
    PlaneItem& box = lit >= 1 ? plane.box(id, at, Tone::host, line) : plane.frame(id, at, Tone::plain, line);
    box.align = Plane::Align::left;
    constexpr std::size_t one_line = 45;
    box.type = forms.lines[i].empty()   ? Plane::Type::body
               : line.size() > one_line ? Plane::Type::mono
                                        : Plane::Type::figure;
    box.shown = std::max(lit, 0.25);
    box.tip = s.word(fmt::format("tip_{}", keys[i]), {{"n", with_thousands(forms.all[i])}});
    if (i == 0) {
      plane.box("cell", {at.right() + 10, y + 8, chip - 10, high - 16}, Tone::followed, s.number.name()).tip =
          s.word("tip_computes");
    } else {
      const double x = at.x + 60;
      plane.arrow(id + " way", x, y - gap + 3, x, y - 3, Tone::host).shown = lit;
      plane.text(id + " by", {x + 14, y - gap, 560, gap}, s.word(fmt::format("made_{}", keys[i])), Plane::Type::label)
          .shown = lit;
    }
  }
  // The driver holds the machine code.
  const PlaneBox driver = {left, y + 4, wide, view.bottom() - 14 - y - 4};
  plane.frame("driver", driver, Tone::host);
  plane.text("driver name", {driver.x + 12, driver.y, name_wide - 10, driver.height}, s.word("driver"),
             Plane::Type::heading);
  const double loaded = open ? 0 : part(phase, 0.75, 1);
  const PlaneBox held = {left + name_wide + 10, driver.y + 10, 250, driver.height - 20};
  const PlaneBox from = {held.x, y - gap - high, held.width, 20};
  if (loaded > 0) {
    PlaneItem& kernel = plane.box("kernel", world::on_way(from, held, eased(loaded)), Tone::work, launched_kernel(s));
    kernel.type = Plane::Type::heading;
    kernel.tip = s.word("tip_module", {{"n", with_thousands(forms.instructions)}});
    if (const SliceId call = loading_call(s); call != no_slice) {
      const auto& rows = s.trace().slices;
      const double before = static_cast<double>(s.receipt.op_start - rows.end(call));
      PlaneItem& text =
          plane.text("loaded", {held.right() + 16, driver.y, driver.right() - held.right() - 24, driver.height},
                     s.word("loaded", {{"call", std::string(s.trace().name(call))}, {"time", time_text(before)}}),
                     Plane::Type::body);
      text.shown = loaded;
      text.tip = s.word("tip_loaded");
      text.origin = Origin::derived;
    } else {
      plane
          .text("loaded", {held.right() + 16, driver.y, driver.right() - held.right() - 24, driver.height},
                s.word("loaded_before"), Plane::Type::body)
          .shown = loaded;
    }
  }
  return plane.take();
}

std::string compiled_section(const Tour& s) { return three_forms(s).complete() ? "compiled" : "compiled.unknown"; }

void compiled_values(const Tour& s, Narration::Values& values) {
  const ThreeForms forms = three_forms(s);
  values.insert_or_assign("line", fmt::to_string(forms.number));
  values.insert_or_assign("ptx_lines", with_thousands(forms.all[1]));
  values.insert_or_assign("sass_lines", with_thousands(forms.all[2]));
}

std::optional<Ask> compiled_question(const Tour& s) {
  if (!three_forms(s).complete()) return {};
  Ask asked{"compiled", "", {}, {}};
  for (const std::string_view key : {"source", "ptx", "sass"}) {
    asked.options.words.push_back(s.word(fmt::format("answer_{}", key)));
    asked.options.keys.emplace_back(key);
  }
  asked.options.right = 2;
  return asked;
}

}  // namespace warpwalk::story
