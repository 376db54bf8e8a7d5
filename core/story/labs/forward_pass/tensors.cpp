// Pictures of the lab "forward-pass" about tensors: y = x Wᵀ + b, and the products of both passes.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/labs/forward_pass/forward_pass.h"
#include "core/trace/link.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t most_grid_cells = 32;  // per row or column of a grid

// x and W as matrices: all dimensions of x but the last one count as rows.
struct Sizes {
  std::int64_t rows = 0, in = 0, out = 0;
};

std::optional<Sizes> sizes_of(const ForwardPass& lab) {
  const std::vector<analysis::Tensor> tensors = lab.tensors();
  if (tensors.size() < 2 || tensors[0].sizes.empty() || tensors[1].sizes.size() != 2) return {};
  const std::int64_t in = tensors[0].sizes.back();
  if (in < 1 || tensors[1].sizes[1] != in || tensors[1].sizes[0] < 1 || tensors[0].count() < 1) return {};
  return Sizes{tensors[0].count() / in, in, tensors[1].sizes[0]};
}

// Which gradient a product of the backward pass computes, by the shape of its result; by its number if x and W have the
// same shape, since autograd computes the gradient of x first.
std::string_view gradient_of(const ForwardPass& lab, const std::vector<analysis::Tensor>& factors, bool first_of_two) {
  const std::optional<Sizes> sizes = sizes_of(lab);
  if (!sizes || factors.size() < 2 || factors[0].sizes.size() != 2 || factors[1].sizes.size() != 2)
    return "computes_product";
  const std::int64_t rows = factors[0].sizes[0], columns = factors[1].sizes[1];
  const bool x = rows == sizes->rows && columns == sizes->in;
  const bool w = (rows == sizes->out && columns == sizes->in) || (rows == sizes->in && columns == sizes->out);
  if (!x && !w) return "computes_product";
  return x && (!w || first_of_two) ? "computes_dx" : "computes_dw";
}

}  // namespace

std::vector<Panel> shape_panels(const ForwardPass& lab, double at) {
  const std::optional<Sizes> sizes = sizes_of(lab);
  if (!sizes) return {};
  const std::int64_t unit = std::max<std::int64_t>(
      1, (std::max({sizes->rows, sizes->in, sizes->out}) + most_grid_cells - 1) / most_grid_cells);
  const auto cells_in = [&](std::int64_t n) { return (n + unit - 1) / unit; };
  const std::int64_t rows = cells_in(sizes->rows), in = cells_in(sizes->in), out = cells_in(sizes->out);
  const std::int64_t done = std::min(static_cast<std::int64_t>(at * static_cast<double>(rows * out)), rows * out - 1);
  const std::int64_t row = done / out, column = done % out;
  const auto grid = [&](std::string_view key, std::int64_t down, std::int64_t across, std::string shape,
                        const auto& tone_at) {
    CellGrid cells;
    cells.columns = static_cast<std::size_t>(across);
    for (std::int64_t i = 0; i < down * across; ++i)
      cells.cells.push_back({tone_at(i / across, i % across), {}, lab.word("cell", {{"unit", fmt::to_string(unit)}})});
    if (key == "y")
      cells.legend = {{Tone::work, lab.word("computed")}, {Tone::followed, lab.word("being_computed")}};
    else
      cells.legend = {{Tone::memory, lab.word("read")}};
    cells.summary = fmt::format("{}: {}", lab.word(key), shape);
    return Panel{fmt::format("{}: {}", lab.word(key), shape), static_cast<double>(across + 4), std::move(cells)};
  };
  const auto shape = [](std::int64_t a, std::int64_t b) { return analysis::sizes_text({a, b}); };
  return {grid("x", rows, in, shape(sizes->rows, sizes->in),
               [&](std::int64_t y, std::int64_t) { return y == row ? Tone::memory : Tone::quiet; }),
          grid("w_t", in, out, shape(sizes->in, sizes->out),
               [&](std::int64_t, std::int64_t x) { return x == column ? Tone::memory : Tone::quiet; }),
          grid("y", rows, out, shape(sizes->rows, sizes->out), [&](std::int64_t y, std::int64_t x) {
            const std::int64_t i = y * out + x;
            return i == done ? Tone::followed : i < done ? Tone::work : Tone::quiet;
          })};
}

Panel tensors_table(const ForwardPass& lab) {
  TablePicture table;
  table.columns = {
      {lab.word("tensor"), 1}, {lab.word("shape"), 1, true}, {lab.word("strides"), 1, true}, {lab.word("made"), 2.6}};
  const Origin origin = lab.input.trace.records.time_origin();
  const auto recorded = [&](std::string text) {
    return text.empty() ? word_cell("–", Tone::quiet) : figure_cell(Figure::recorded(std::move(text), origin));
  };
  const auto add = [&](std::string_view key, const analysis::Tensor& tensor) {
    TableCell name = word_cell(lab.word(key));
    table.rows.push_back({{std::move(name), recorded(analysis::sizes_text(tensor.sizes)),
                           recorded(tensor.strides ? analysis::strides_text(*tensor.strides) : std::string()),
                           word_cell(lab.word(fmt::format("{}_made", key)), Tone::quiet)},
                          false});
  };
  constexpr std::string_view keys[] = {"x", "w", "b"};
  const std::vector<analysis::Tensor> inputs = lab.tensors();
  for (std::size_t i = 0; i < std::min(inputs.size(), std::size(keys)); ++i) add(keys[i], inputs[i]);
  for (const CallFrame& frame : lab.call.tree.frames)
    if (frame.what == "addmm") {
      // addmm(b, x, Wᵀ): its last tensor is the view that aten::t made.
      if (const std::vector<analysis::Tensor> given = analysis::tensors_of(lab.input.trace, frame.slice);
          given.size() >= 3)
        add("w_t", given[2]);
      break;
    }
  if (const std::optional<Sizes> sizes = sizes_of(lab); sizes && inputs[0].sizes.size() == 2)
    table.rows.push_back(
        {{word_cell(lab.word("y")),
          figure_cell(Figure::derived(analysis::sizes_text({sizes->rows, sizes->out}), lab.word("y_formula"))),
          word_cell("–", Tone::quiet), word_cell(lab.word("y_made"), Tone::quiet)},
         false});
  return {"", 1, std::move(table)};
}

Panel backward_table(const ForwardPass& lab) {
  TablePicture table;
  table.columns = {{lab.word("computes"), 1.7},
                   {lab.word("op"), 1},
                   {lab.word("inputs"), 2},
                   {lab.word("cpu_time"), 0.9, true},
                   {lab.word("gpu_time"), 0.9, true}};
  const Trace& trace = lab.input.trace;
  constexpr std::size_t max_products = 6;
  std::size_t products = 0;
  const auto add = [&](const CallTree& tree, bool forward) {
    std::size_t in_node = 0;
    const std::ptrdiff_t wanted =
        std::ranges::count_if(tree.frames, [](const CallFrame& frame) { return frame.what == "product"; });
    for (const CallFrame& frame : tree.frames) {
      const bool product = frame.what == "product" || frame.what == "addmm";
      if ((!product && frame.what != "sum") || products++ >= max_products) continue;
      const std::string_view computes =
          forward    ? "computes_y"
          : !product ? "computes_db"
                     : gradient_of(lab, analysis::tensors_of(trace, frame.slice), wanted > 1 && in_node++ == 0);
      std::string shapes;
      for (const analysis::Tensor& tensor : analysis::tensors_of(trace, frame.slice))
        shapes += fmt::format("{}{}", shapes.empty() ? "" : ", ", analysis::sizes_text(tensor.sizes));
      TableCell op = word_cell(std::string(trace.name(frame.slice)));
      op.code = true;
      const CallTree inner = tree_of(trace, frame.slice);
      table.rows.push_back({{word_cell(lab.word(computes)), std::move(op), word_cell(std::move(shapes)),
                             figure_cell(Figure::recorded(static_cast<double>(trace.slices.duration[frame.slice]),
                                                          Unit::nanoseconds, trace.records.time_origin())),
                             figure_cell(Figure::derived(static_cast<double>(gpu_time(trace, inner)), Unit::nanoseconds,
                                                         lab.word("gpu_formula")))},
                            false});
    }
  };
  add(lab.call.tree, true);
  for (const CallTree& tree : lab.call.backward) add(tree, false);
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
