// The call that launches the kernel: its keys and types, from the records.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/story/scenes/translator/translator.h"

namespace warpwalk::story {
namespace {

constexpr std::array<std::string_view, 5> dtypes = {"float32", "float64", "float16", "bfloat16",
                                                    "int64"};  // int64 is last

// The index that the control sets, limited to 0 .. last.
std::optional<std::size_t> chosen(const SceneInput& input, std::string_view control, std::size_t last) {
  const std::optional<double> value = input.set("translator", control);
  if (!value || !std::isfinite(*value)) return {};
  return static_cast<std::size_t>(std::clamp(std::round(*value), 0.0, static_cast<double>(last)));
}

}  // namespace

Decision decision_of(const Trace& trace, const Walk& walk, std::size_t index) {
  const SliceId op = walk.ops[index];
  const CallKind kind = call_kind(trace.name(op));
  if (kind == CallKind::backward) return Decision::backward;
  if (index + 1 == walk.ops.size()) return walk.kernel != no_slice ? Decision::launches : Decision::quiet;
  if (kind == CallKind::range) return Decision::range;
  const OpEntry* entry = op_entry(trace.name(op));
  if (entry != nullptr && entry->kind == OpKind::composite) return Decision::composite;
  const bool next_numbered = has_sequence_number(trace, walk.ops[index + 1]);
  // Autograd calls the next op without its keys. If the next op still went through them, this one did not.
  if (has_sequence_number(trace, op) && next_numbered) return Decision::composite;
  return has_sequence_number(trace, op) ? Decision::through : Decision::calls;
}

Call call_of(const SceneInput& input) {
  const Trace& trace = input.trace;
  std::optional<Call> recorded = dispatched_call(trace, input.walk);
  if (!recorded) return {};
  Call call = *std::move(recorded);
  call.asked_dtype = call.dtype;
  if (const auto device = chosen(input, "device", 1)) {
    call.asked.backend = *device == 0 ? KeyBackend::cuda : KeyBackend::cpu;
    call.set = true;
  }
  if (const auto layout = chosen(input, "layout", 2)) {
    call.asked.layout = static_cast<KeyLayout>(*layout);
    call.set = true;
  }
  if (const auto mode = chosen(input, "mode", 3)) {
    call.asked.mode = static_cast<KeyMode>(*mode);
    call.set = true;
  }
  if (const auto dtype = chosen(input, "dtype", instance_dtypes(trace.name(call.op)).size() - 1)) {
    call.asked_dtype = dtypes[*dtype];
    call.set = true;
  }
  return call;
}

bool picks_instance(const SceneInput& input, const Call& call, const std::vector<KeyRow>& rows) {
  const std::size_t last = last_turn(rows);
  if (last == rows.size() || rows[last].effect == KeyEffect::composite) return false;
  if (is_registered_by_program(call, input.trace)) return false;
  const std::string_view op = input.trace.name(call.op);
  if (is_view(op) || is_factory(op)) return false;
  return input.walk.kernel == no_slice || input.trace.slices.kind[input.walk.kernel] == trace::SliceKind::kernel;
}

std::vector<std::string> instance_dtypes(std::string_view op) {
  std::vector<std::string> out(dtypes.begin(), dtypes.end());
  if (is_floating_only(op)) std::erase(out, "int64");
  return out;
}

std::string_view work_suffix(const Trace& trace, const Walk& walk) {
  switch (trace.slices.kind[walk.kernel]) {
    case trace::SliceKind::memcpy: return "copy";
    case trace::SliceKind::memset: return "fill";
    default: return "";
  }
}

bool is_compiled(const Trace& trace, const Walk& walk) {
  if (walk.ops.empty() || walk.kernel == no_slice) return false;
  const std::string_view kernel = trace.name(walk.kernel);
  return kernel.starts_with("triton_") && trace.name(walk.ops.back()) == kernel;
}

std::vector<Control> key_controls(const SceneInput& input, const Call& call, std::string_view scene, bool with_dtype) {
  std::vector<Control> controls;
  const auto word = [&](std::string_view key) { return translator_word(input, "control", key); };
  const auto add = [&](std::string_view name, std::vector<std::string> words, std::size_t value, std::string extra,
                       std::string_view source, bool hidden) {
    Control control;
    control.kind = hidden ? Control::Kind::hidden : Control::Kind::choice;
    control.name = std::string(name);
    control.label = word(name);
    control.words = std::move(words);
    if (value >= control.words.size()) {
      value = control.words.size();
      control.words.push_back(std::move(extra));
    }
    control.value = static_cast<double>(value);
    control.shown = control.words[value];
    control.set = input.set(scene, name).has_value();
    control.source = translator_word(input, "source", source);
    controls.push_back(std::move(control));
  };
  const std::string unknown = word("unknown");
  const auto backend = static_cast<std::size_t>(call.asked.backend);
  add("device", {"CUDA", "CPU"}, backend, call.asked.backend == KeyBackend::both ? "CPU + CUDA" : unknown,
      call.recorded.backend == KeyBackend::unknown ? "device_unknown" : "device", false);
  add("layout", {word("strided"), "COO", "CSR"}, static_cast<std::size_t>(call.asked.layout), unknown,
      call.layout_recorded ? "layout" : "layout_unknown", false);
  add("mode", {word("grad"), word("no_grad"), word("inference"), word("autocast")},
      static_cast<std::size_t>(call.asked.mode), call.asked.mode == KeyMode::nested ? word("nested") : unknown,
      call.recorded.mode == KeyMode::grad     ? "mode"
      : call.recorded.mode == KeyMode::nested ? "mode_nested"
                                              : "mode_unknown",
      with_dtype);
  const std::vector<std::string> offered = instance_dtypes(input.trace.name(call.op));
  std::vector<std::string> short_names = {"f32", "f64", "f16", "bf16", "i64"};
  short_names.resize(offered.size());
  const auto at = std::find(offered.begin(), offered.end(), call.asked_dtype);
  add("dtype", std::move(short_names), static_cast<std::size_t>(at - offered.begin()),
      call.asked_dtype.empty() ? unknown : analysis::shortened(call.asked_dtype, 12),
      call.dtype.empty() ? "dtype_unknown" : "dtype", !with_dtype);
  return controls;
}

std::optional<TileCheck> tile_check(const Trace& trace, const Walk& walk, const Call& call,
                                    const analysis::KernelName& name) {
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (!name.tile || kernel == nullptr || kernel->grid[0] <= 0 || call.op == no_slice) return {};
  const std::string_view op = trace.name(call.op);
  const auto shapes = shapes_in(trace.text(op_detail(trace, call.op).input_dims));
  const std::size_t first = op == "aten::mm" ? 0 : op == "aten::addmm" ? 1 : shapes.size();
  if (first + 1 >= shapes.size() || shapes[first].size() != 2 || shapes[first + 1].size() != 2) return {};
  TileCheck check;
  check.m = shapes[first][0];
  check.n = shapes[first + 1][1];
  if (check.m <= 0 || check.n <= 0) return {};
  const auto blocks = [](std::int64_t size, std::int64_t tile) { return (size + tile - 1) / tile; };
  check.grid = 1;
  for (const std::int32_t size : kernel->grid) check.grid *= std::max(size, 1);
  // BLAS stores matrices by columns, so the result's rows can be along either side of the tile.
  const TileCheck swapped = {check.n, check.m, blocks(check.n, name.tile->m), blocks(check.m, name.tile->n),
                             check.grid};
  check.across = blocks(check.m, name.tile->m);
  check.down = blocks(check.n, name.tile->n);
  const auto fits = [&](const TileCheck& c) { return c.across == kernel->grid[0] && c.down == kernel->grid[1]; };
  if (fits(swapped) && !fits(check)) return swapped;
  return fits(check) || check.times() > 0 || swapped.times() == 0 ? check : swapped;
}

std::int64_t elements_a_thread(const Trace& trace, const Walk& walk, const Call& call,
                               const analysis::KernelName& name) {
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (!name.vector_width || kernel == nullptr || call.op == no_slice) return 0;
  std::int64_t maximum = 0;
  for (const auto& shape : shapes_in(trace.text(op_detail(trace, call.op).input_dims))) {
    if (shape.empty()) continue;
    double elements = 1;
    for (const std::int64_t size : shape) elements *= static_cast<double>(size);
    if (elements < 1e15) maximum = std::max(maximum, static_cast<std::int64_t>(elements));
  }
  double threads = 1;
  for (const std::int32_t size : kernel->grid) threads *= std::max(size, 1);
  for (const std::int32_t size : kernel->block) threads *= std::max(size, 1);
  if (kernel->grid[0] <= 0 || kernel->block[0] <= 0 || threads > 1e15) return 0;
  const auto whole = static_cast<std::int64_t>(threads);
  return maximum % whole == 0 ? maximum / whole : 0;
}

std::string about_kernel(const Trace& trace, const Walk& walk) {
  const trace::Module* const module = module_of(trace, walk);
  std::string about;
  for (std::string_view rest = module == nullptr ? std::string_view() : module->source.view();
       rest.starts_with("//");) {
    std::string_view line = rest.substr(2, rest.find('\n') - 2);
    rest.remove_prefix(std::min(rest.size(), line.size() + 3));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty()) break;
    about += (about.empty() ? "" : " ") + std::string(line);
  }
  return analysis::shortened(about, 200);
}

bool has_machine_code(const trace::Module& module) { return !module.sass.empty() || !module.cubin.empty(); }

std::string translator_word(const SceneInput& input, std::string_view kind, std::string_view key,
                            const Narration::Values& values) {
  return input.narration.text(fmt::format("translator.{}", kind), key, values);
}

}  // namespace warpwalk::story
