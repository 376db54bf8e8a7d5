// The kernel: the parts of its name, the launch, and its code.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/names/kernel_name.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/ptx/module.h"
#include "core/run/replay/history.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/code/instruction_words.h"
#include "core/story/facts/code/linked_code.h"
#include "core/story/facts/launch/matrix_product.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/scenes/translator/translator.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t longest_part = 96;
constexpr std::size_t max_parts = 40;
constexpr std::int64_t most_drawn_elements = 64;  // per thread
constexpr std::size_t window_lines = 64;
constexpr double missing_share = 0.45;  // width of a column without lines, relative to one with lines

// Without the source, a line is followed only if it links two texts.
bool links_texts(const trace::Module& module) {
  return !module.source.empty() || (!module.ptx.empty() && has_machine_code(module));
}

bool says_something(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80u;
  });
}

// "a, b, c, 1000": allocations by their names, or by their addresses if they have none.
std::string arguments_text(const Trace& trace, const trace::KernelRecord& record) {
  std::string out;
  constexpr std::size_t limit = 8;
  for (std::size_t i = 0; i < record.arguments.size() && i < limit; ++i) {
    if (!out.empty()) out += ", ";
    out += argument_text(trace, record.arguments[i]);
  }
  if (record.arguments.size() > limit) out += fmt::format(", + {}", record.arguments.size() - limit);
  return analysis::shortened(out, 60);
}

const trace::Device* device_at(const Trace& trace, std::int64_t id) {
  for (const trace::Device& device : trace.devices)
    if (device.id == id) return &device;
  return nullptr;
}

void mark(OrderPane::Card& card, OrderPane::Mark mark, std::int64_t x, std::int64_t y = 0) {
  card.mark = mark;
  card.x = x;
  card.y = y;
}

OrderPane transfer_order(const SceneInput& input) {
  const Trace& trace = input.trace;
  OrderPane pane;
  const auto& detail = trace.transfers[trace.slices.detail[input.walk.kernel]];
  const bool copy = trace.slices.kind[input.walk.kernel] == trace::SliceKind::memcpy;
  const auto word = [&](std::string_view key) { return translator_word(input, "card", key); };
  const trace::Origin origin = trace.records.time_origin();
  const std::string name(trace.name(input.walk.kernel));
  // The text in the brackets, if there are any.
  const std::size_t open = name.find('('), close = name.rfind(')');
  const bool bracketed = open != std::string::npos && close != std::string::npos && close > open;
  const std::string way = bracketed ? name.substr(open + 1, close - open - 1) : name;
  pane.command = input.walk.launch == no_slice
                     ? analysis::shortened(name, 80)
                     : fmt::format("{}: {}", analysis::label_of(trace, input.walk.launch), name);
  const std::string missing = word("missing");
  pane.cards.push_back({word(copy ? "way" : "what"), analysis::shortened(way, 40),
                        word(copy ? "way_says" : "what_says"), missing, origin});
  pane.cards.push_back({word("bytes"),
                        detail.bytes == trace::absent ? std::string() : bytes_text(static_cast<double>(detail.bytes)),
                        word("bytes_says"), missing, origin});
  pane.cards.push_back({word("stream"), analysis::stream_name(trace, trace.slices.track[input.walk.kernel]),
                        word("stream_says"), missing, origin});
  pane.head_driver = translator_word(input, "head", "transfer");
  pane.driver.push_back({word("engine"), {}, word(copy ? "engine_copy" : "engine_fill"), {}, trace::Origin::explained});
  return pane;
}

}  // namespace

NamePane name_pane(const SceneInput& input, const Call& call, const analysis::KernelName& name, double phase) {
  NamePane pane;
  pane.head_part = translator_word(input, "head", "part");
  pane.head_meaning = translator_word(input, "head", "says");
  std::string_view types_told;
  for (const analysis::NamePart& found : name.parts) {
    if (pane.parts.size() == max_parts) {
      pane.parts.push_back({"…", translator_word(input, "token", "rest"), false});
      break;
    }
    NamePane::Part piece;
    piece.text = analysis::shortened(found.text, longest_part);
    piece.decoded = !found.meaning.empty();
    // Types of the same name mean the same, so only one is shown.
    const bool again = (found.meaning == "type" || found.meaning == "elements") && types_told == found.value;
    if (found.meaning == "type" || found.meaning == "elements") types_told = found.value;
    if (piece.decoded && !again)
      piece.meaning = translator_word(input, "token", found.meaning, {{"v", found.value}});
    else if (!piece.decoded && says_something(found.text))
      piece.meaning = translator_word(input, "token", "unknown");
    pane.parts.push_back(std::move(piece));
  }
  if (const auto check = tile_check(input.trace, input.walk, call, name)) {
    const trace::KernelDetail* kernel = kernel_detail(input.trace, input.walk);
    const Narration::Values values = {{"m", with_thousands(check->m)},
                                      {"n", with_thousands(check->n)},
                                      {"tm", fmt::to_string(name.tile->m)},
                                      {"tn", fmt::to_string(name.tile->n)},
                                      {"x", fmt::to_string(check->across)},
                                      {"y", fmt::to_string(check->down)},
                                      {"grid", analysis::shape_text(kernel->grid)},
                                      {"times", fmt::to_string(check->times())},
                                      {"blocks", with_thousands(check->across * check->down)}};
    if (check->times() > 0)
      pane.blueprint = NamePane::Blueprint{check->m,
                                           check->n,
                                           name.tile->m,
                                           name.tile->n,
                                           translator_word(input, "blueprint", "result", values),
                                           translator_word(input, "blueprint", "tile", values),
                                           0,
                                           0,
                                           {}};
    pane.checks.push_back(translator_word(input, "check",
                                          check->agrees()      ? "tile"
                                          : check->times() > 1 ? "tile_times"
                                                               : "tile_differs",
                                          values));
    // The launch scene counts rows first, as PyTorch does.
    if (const auto product = matrix_product(input.trace, input.walk);
        product && product->rule == MatrixProduct::Rule::columns_first)
      pane.checks.push_back(translator_word(input, "check", "columns_first",
                                            {{"tm", fmt::to_string(name.tile->m)},
                                             {"rows", fmt::to_string(product->tile_rows)},
                                             {"columns", fmt::to_string(product->tile_columns)}}));
  }
  if (const trace::KernelDetail* kernel = kernel_detail(input.trace, input.walk);
      name.warps && kernel != nullptr && kernel->block[0] > 0) {
    std::int64_t threads = 1;
    for (const std::int32_t size : kernel->block) threads *= std::max(size, 1);
    pane.checks.push_back(translator_word(input, "check", *name.warps * 32 == threads ? "warps" : "warps_differ",
                                          {{"warps", fmt::to_string(*name.warps)},
                                           {"threads", fmt::to_string(*name.warps * 32)},
                                           {"block", fmt::to_string(threads)}}));
  }
  if (const std::int64_t each = elements_a_thread(input.trace, input.walk, call, name); each > 0) {
    const Narration::Values values = {
        {"each", fmt::to_string(each)},
        {"width", fmt::to_string(*name.vector_width)},
        {"vectors", fmt::to_string((each + *name.vector_width - 1) / *name.vector_width)}};
    pane.checks.push_back(translator_word(input, "check", "vectors", values));
    if (!pane.blueprint && each <= most_drawn_elements) {
      pane.blueprint = NamePane::Blueprint{};
      pane.blueprint->elements = each;
      pane.blueprint->width = *name.vector_width;
      pane.blueprint->thread = translator_word(input, "blueprint", "thread", values);
    }
  }
  // The kernel's own code says it where the name does not.
  if (const auto product = pane.blueprint ? std::nullopt : matrix_product(input.trace, input.walk)) {
    const Narration::Values values = {{"m", with_thousands(product->m)},
                                      {"n", with_thousands(product->n)},
                                      {"tm", fmt::to_string(product->tile_rows)},
                                      {"tn", fmt::to_string(product->tile_columns)}};
    pane.blueprint = NamePane::Blueprint{product->m,
                                         product->n,
                                         product->tile_rows,
                                         product->tile_columns,
                                         translator_word(input, "blueprint", "result", values),
                                         translator_word(input, "blueprint", "tile", values),
                                         0,
                                         0,
                                         {}};
  }
  pane.head_blueprint = translator_word(input, "head", "blueprint");
  pane.progress = part(phase, 0.2, 0.9);
  return pane;
}

OrderPane order_pane(const SceneInput& input, double phase) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (kernel == nullptr) {
    OrderPane pane = transfer_order(input);
    pane.progress = part(phase, 0.2, 0.9);
    return pane;
  }
  OrderPane pane;
  const auto word = [&](std::string_view key) { return translator_word(input, "card", key); };
  const trace::Origin origin = trace.records.time_origin();
  const trace::KernelRecord* record = kernel_record(trace, walk);
  const std::string grid = kernel->grid[0] > 0 ? analysis::shape_text(kernel->grid) : std::string();
  const std::string block = kernel->block[0] > 0 ? analysis::shape_text(kernel->block) : std::string();
  const std::string shared =
      kernel->shared_bytes == trace::absent ? std::string() : shared_bytes_text(kernel->shared_bytes);
  const std::string stream = analysis::stream_name(trace, trace.slices.track[walk.kernel]);
  std::string arguments = record == nullptr ? std::string() : arguments_text(trace, *record);
  if (arguments.empty() && record != nullptr && record->state && !record->state->parameters.empty())
    arguments =
        translator_word(input, "card", "argument_bytes", {{"bytes", std::to_string(record->state->parameters.size())}});
  // The launch asks for the dynamic part only; the profiler records static and dynamic together.
  const std::string asked = record != nullptr           ? shared_bytes_text(record->dynamic_shared_bytes)
                            : kernel->shared_bytes == 0 ? shared
                            : shared.empty()            ? shared
                                                        : fmt::format("≤ {}", shared);
  const auto or_unknown = [](const std::string& text) { return text.empty() ? std::string("?") : text; };
  pane.command = fmt::format(
      "{}<<<{}, {}, {}, {} {}>>>({})",
      analysis::shortened(analysis::kernel_function_name(analysis::plain_kernel_name(trace.name(walk.kernel))), 44),
      or_unknown(grid), or_unknown(block), or_unknown(asked), word("stream_word"), or_unknown(stream),
      arguments.empty() ? "…" : arguments);
  const std::string missing = word("missing");
  pane.cards = {{word("grid"), grid, word("grid_says"), missing, origin},
                {word("block"), block, word("block_says"), missing, origin},
                {word("shared"), shared, word("shared_says"), missing, origin},
                {word("stream"), stream, word("stream_says"), missing, origin},
                {word("arguments"), arguments, word("arguments_says"), missing, origin}};
  pane.head_driver = translator_word(input, "head", "driver");
  const trace::Device* device = device_at(trace, kernel->device);
  if (!grid.empty()) mark(pane.cards[0], OrderPane::Mark::grid, kernel->grid[0], kernel->grid[1]);
  if (!block.empty())
    mark(pane.cards[1], OrderPane::Mark::block, std::int64_t{kernel->block[0]} * kernel->block[1] * kernel->block[2]);
  if (!shared.empty() && device != nullptr && device->shared_per_sm > 0)
    mark(pane.cards[2], OrderPane::Mark::shared, kernel->shared_bytes, device->shared_per_sm);
  if (record != nullptr && !record->arguments.empty())
    mark(pane.cards[4], OrderPane::Mark::pointers, static_cast<std::int64_t>(record->arguments.size()));
  std::string capability;
  if (device != nullptr && device->compute_major != trace::absent && device->compute_minor != trace::absent)
    capability = fmt::format("{}.{}", device->compute_major, device->compute_minor);
  const trace::Module* module = module_of(trace, walk);
  const std::string target = module == nullptr ? std::string() : ptx_target(module->ptx);
  // sm_90a: architecture-specific features.
  const bool specific = !target.empty() && target.back() >= 'a' && target.back() <= 'z';
  const std::string jit_says =
      specific ? translator_word(input, "card", "jit_says.specific", {{"letter", target.substr(target.size() - 1)}})
               : word("jit_says");
  pane.driver = {
      {word("gpu"), capability, word("gpu_says"), missing, trace::Origin::measured},
      {word("cubin"), {}, word("cubin_says"), {}, trace::Origin::explained},
      {word("jit"), target, jit_says, {}, target.empty() ? trace::Origin::explained : trace::Origin::derived}};
  pane.progress = part(phase, 0.2, 0.9);
  return pane;
}

bool code_is_stand_ins(const SceneInput& input) {
  return module_of(input.trace, input.walk) == nullptr && input.history.stand_in();
}

CodePicture code_pane(const SceneInput& input) {
  CodePicture pane;
  pane.control = "translator.line";
  const auto word = [&](std::string_view key, const Narration::Values& values = {}) {
    return translator_word(input, "code", key, values);
  };
  const trace::Module* module = module_of(input.trace, input.walk);
  const trace::KernelRecord* record = kernel_record(input.trace, input.walk);
  const std::optional<double> set = input.set("translator", "line");
  const std::int64_t asked = set && std::isfinite(*set) ? static_cast<std::int64_t>(std::clamp(*set, 0.0, 1e9)) : 0;
  CodeView view;
  const bool stand_in = code_is_stand_ins(input);
  if (stand_in) {
    trace::Module own;
    own.source = input.history.history->source;
    own.ptx = input.history.history->ptx;
    view = code_view(own, input.history.history->entry, links_texts(own) ? asked : no_line, window_lines);
    Narration::Values values;
    add_history_values(input, values);
    pane.banner = input.narration.text("history", "stand_in", values);
  } else if (module != nullptr) {
    const bool links = links_texts(*module) || !module->cubin.empty();
    view = code_view(*module, record->entry, links ? asked : no_line, window_lines);
    // A cubin may lack the PTX and the line table: then no line links two texts.
    if (view.source.lines.empty() && view.ptx.lines.empty() && view.line > 0)
      view = code_view(*module, record->entry, no_line, window_lines);
  }
  pane.line = view.line;
  pane.decoded = view.decoded;
  pane.lines = view.lines;
  const auto add = [&](CodeKind kind, std::string_view key, CodeWindow window) {
    CodePicture::Column column;
    column.kind = kind;
    column.name = word(key);
    const Narration::Values values = {{"lines", with_thousands(window.all_lines)},
                                      {"lit", with_thousands(window.lit_lines)},
                                      {"line", fmt::to_string(view.line)}};
    if (window.lines.empty()) {
      column.missing = word(fmt::format("no_{}{}", key, stand_in && kind != CodeKind::source ? ".stand_in" : ""));
      column.share = missing_share;
    } else {
      column.note =
          word(view.line > 0 && window.lit_lines > 0 ? fmt::format("{}_lit", key) : std::string("lines"), values);
    }
    if (kind == CodeKind::sass)
      for (CodeLine& line : window.lines) line.tip = instruction_words(input.narration, line.text).lines();
    column.window = std::move(window);
    pane.columns.push_back(std::move(column));
  };
  add(CodeKind::source, "source", std::move(view.source));
  add(CodeKind::ptx, "ptx", std::move(view.ptx));
  add(CodeKind::sass, "sass", std::move(view.sass));
  return pane;
}

}  // namespace warpwalk::story
