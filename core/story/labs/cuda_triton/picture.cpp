// Pictures of the lab "cuda-triton": both sources, who works on which element, and Triton's layout.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/labs/cuda_triton/cuda_triton.h"

namespace warpwalk::story {
namespace {

struct Pair {
  std::string_view cuda, triton;
};

constexpr Pair relu_lines[] = {
    {"__global__", "@triton.jit"},
    {"void relu(const float* x, float* y, int n) {", "def relu(x, y, n, BLOCK_SIZE: tl.constexpr):"},
    {"  int i = blockIdx.x * blockDim.x", "    start = tl.program_id(0) * BLOCK_SIZE"},
    {"          + threadIdx.x;", "    i = start + tl.arange(0, BLOCK_SIZE)"},
    {"  if (i < n)", "    mask = i < n"},
    {"    float v = x[i];", "    v = tl.load(x + i, mask)"},
    {"    y[i] = v > 0 ? v : 0;", "    tl.store(y + i, tl.where(v > 0, v, 0), mask)"},
};

constexpr Pair vecadd_lines[] = {
    {"__global__", "@triton.jit"},
    {"void vecadd(float* a, float* b, float* c, int n) {", "def vecadd(a, b, c, n, BLOCK_SIZE: tl.constexpr):"},
    {"  int i = blockIdx.x * blockDim.x", "    start = tl.program_id(0) * BLOCK_SIZE"},
    {"          + threadIdx.x;", "    i = start + tl.arange(0, BLOCK_SIZE)"},
    {"  if (i < n)", "    mask = i < n"},
    {"    float u = a[i], v = b[i];", "    u, v = tl.load(a + i, mask), tl.load(b + i, mask)"},
    {"    c[i] = u + v;", "    tl.store(c + i, u + v, mask)"},
};

}  // namespace

Panel sources_panel(const CudaTriton& lab, std::size_t lit) {
  std::vector<std::string> cuda, triton;
  const auto add = [&](const auto& lines) {
    for (const Pair& line : lines) {
      cuda.emplace_back(line.cuda);
      triton.emplace_back(line.triton);
    }
  };
  if (lab.kernel == "relu")
    add(relu_lines);
  else
    add(vecadd_lines);
  const std::string data = lab.kernel == "relu" ? "x, y" : "a, b, c";
  cuda.push_back(fmt::format("{}<<<{}, {}>>>({}, {});", lab.kernel, lab.blocks(), lab.block, data, lab.n));
  triton.push_back(fmt::format("{}[({},)]({}, {}, BLOCK_SIZE={}, num_warps={})", lab.kernel, lab.instances(), data,
                               lab.n, lab.layout.elements, lab.layout.warps));
  CodePicture code;
  code.columns = {text_column(lab.word("cuda"), std::move(cuda), lit, 1),
                  text_column(lab.word("triton"), std::move(triton), lit, 1)};
  for (CodePicture::Column& column : code.columns) column.window.focus = lit - 1;
  return {"", 1, std::move(code)};
}

Panel elements_panel(const CudaTriton& lab, bool triton) {
  CellGrid cells;
  const int shown = std::min(lab.layout.elements, CudaTriton::max_cells);
  cells.columns = 64;
  cells.control = fmt::format("{}.element", CudaTriton::name);
  const Holder followed = lab.layout.holder(lab.element);
  const std::int64_t thread = lab.followed() % lab.block, in_block = lab.followed() / lab.block;
  for (int i = 0; i < shown; ++i) {
    const std::int64_t global = lab.start() + i;
    const Holder holder = lab.layout.holder(i);
    const std::int64_t own = global % lab.block;
    const bool same_thread =
        triton ? holder.warp == followed.warp && holder.lane == followed.lane : global == lab.followed();
    const bool same_warp =
        triton ? holder.warp == followed.warp : global / lab.block == in_block && own / 32 == thread / 32;
    const Tone tone = global >= lab.n ? Tone::refused
                      : same_thread   ? Tone::followed
                      : same_warp     ? Tone::work
                                      : Tone::memory;
    const std::string tip = triton ? lab.word("triton_tip", {{"i", with_thousands(global)},
                                                             {"warp", fmt::to_string(holder.warp)},
                                                             {"lane", fmt::to_string(holder.lane)},
                                                             {"slot", fmt::to_string(holder.slot)}})
                                   : lab.word("cuda_tip", {{"i", with_thousands(global)},
                                                           {"block", with_thousands(global / lab.block)},
                                                           {"thread", fmt::to_string(own)}});
    cells.cells.push_back({tone, {}, tip});
  }
  if (lab.element < shown) cells.followed = static_cast<std::size_t>(lab.element);
  cells.legend = {{Tone::followed, lab.word("same_thread")},
                  {Tone::work, lab.word("same_warp")},
                  {Tone::memory, lab.word("other_warp")},
                  {Tone::refused, lab.word("masked")}};
  cells.summary =
      lab.word(triton ? "triton_elements" : "cuda_elements", {{"instance", with_thousands(lab.instances() - 1)},
                                                              {"first", with_thousands(lab.start())},
                                                              {"last", with_thousands(lab.start() + shown - 1)}});
  if (shown < lab.layout.elements) cells.note = lab.word("first_elements", {{"shown", with_thousands(shown)}});
  return {lab.word(triton ? "triton" : "cuda"), 1, std::move(cells)};
}

Panel lanes_panel(const CudaTriton& lab) {
  CellGrid cells;
  cells.columns = BlockedLayout::lanes;
  const Holder followed = lab.layout.holder(lab.element);
  constexpr int max_slots = 4;
  const int slots = std::min(lab.layout.slots(), max_slots);
  const int first = followed.slot / slots * slots;
  for (int slot = first; slot < std::min(first + slots, lab.layout.slots()); ++slot)
    for (int lane = 0; lane < BlockedLayout::lanes; ++lane) {
      const int element = lab.layout.element({followed.warp, lane, slot});
      const bool here = lane == followed.lane;
      const Tone tone = lab.start() + element >= lab.n ? Tone::refused : here ? Tone::followed : Tone::work;
      cells.cells.push_back({tone,
                             fmt::to_string(element),
                             lab.word("lane_tip", {{"lane", fmt::to_string(lane)},
                                                   {"slot", fmt::to_string(slot)},
                                                   {"i", with_thousands(lab.start() + element)}}),
                             {{fmt::format("{}.element", CudaTriton::name), static_cast<double>(element)}}});
    }
  cells.followed = static_cast<std::size_t>((followed.slot - first) * BlockedLayout::lanes + followed.lane);
  cells.summary = lab.word("lanes_summary", {{"warp", fmt::to_string(followed.warp)}});
  if (slots < lab.layout.slots())
    cells.note = lab.word("some_slots", {{"from", fmt::to_string(first)},
                                         {"to", fmt::to_string(first + slots - 1)},
                                         {"all", fmt::to_string(lab.layout.slots())}});
  return {lab.word("lanes_summary", {{"warp", fmt::to_string(followed.warp)}}), 1, std::move(cells)};
}

Panel layout_table(const CudaTriton& lab) {
  TablePicture table;
  table.columns = {{lab.word("layout"), 1, false, true}, {lab.word("layout_text"), 3, false, false, true}};
  const auto add = [&](std::string_view key, std::string text) {
    // The heading says what kind of layout it is.
    constexpr std::string_view open = "#ttg.blocked<{", close = "}>";
    if (text.starts_with(open) && text.ends_with(close))
      text = text.substr(open.size(), text.size() - open.size() - close.size());
    TableCell cell = word_cell(std::move(text));
    cell.code = true;
    table.rows.push_back({{word_cell(lab.word(key)), std::move(cell)}, false});
  };
  add("derived_layout", lab.layout.text());
  const std::string key =
      fmt::format("{}_{}_{}_{} ", lab.kernel, lab.layout.elements, lab.layout.warps, lab.even() ? "even" : "odd");
  const std::string_view recorded = lab.record->text("layouts");
  std::string found = lab.word("no_launch");
  if (const std::size_t at = recorded.find("\n" + key); at != std::string_view::npos || recorded.starts_with(key)) {
    const std::size_t begin = recorded.find("#ttg", at == std::string_view::npos ? 0 : at);
    found = recorded.substr(begin, recorded.find('\n', begin) - begin);
  }
  add("recorded_layout", std::move(found));
  return {"", 1, std::move(table)};
}

Panel settings_table(const CudaTriton& lab) {
  TablePicture table;
  for (const std::string_view column : {"instances", "masked_head", "slots_head", "width_head", "loads_head"})
    table.columns.push_back({lab.word(column), 1, true});
  const auto cell = [&](std::int64_t value, std::string_view formula) {
    return figure_cell(Figure::derived(static_cast<double>(value), Unit::count, lab.word(formula)));
  };
  table.rows.push_back(
      {{cell(lab.instances(), "instances_formula"), cell(lab.masked(), "masked_formula"),
        cell(lab.layout.slots(), "slots_formula"),
        figure_cell(Figure::derived(4.0 * access_width(lab.layout, lab.n), Unit::bytes, lab.word("width_formula"))),
        cell(lab.loads(), "loads_formula")},
       false});
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
