// Lab: what each generation of GPUs can run: features, limits, and the compatibility of PTX and machine code.
#include "core/gpu/device/compute_capability.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/analysis/device_match.h"
#include "core/gpu/device/device.h"
#include "core/ptx/used_instructions.h"
#include "core/records/hardware.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view compute_capability_name = "lab/compute-capability";
constexpr std::string_view compute_capability_words = "lab/compute-capability.word";

using Target = gpu::CodeTarget;
using Scope = Target::Scope;

constexpr Target targets[] = {{75, Scope::general}, {80, Scope::general},      {86, Scope::general},
                              {90, Scope::general}, {90, Scope::architecture}, {100, Scope::general},
                              {100, Scope::family}, {120, Scope::general}};

enum class Start { machine_code, compiled, fails };
constexpr std::string_view start_keys[] = {"machine_code", "compiled", "fails"};

struct Compatibility {
  const SceneInput& input;
  ControlSet controls{input, compute_capability_name};
  const gpu::Capability* gpu = nullptr;
  std::optional<Target> cubin, ptx;
  const trace::KernelRecord* record = nullptr;
  const trace::Module* module = nullptr;            ///< of the followed kernel; null without its PTX
  std::set<std::string, std::less<>> instructions;  ///< of the followed kernel and the functions that it calls

  explicit Compatibility(const SceneInput& in) : input(in) {
    std::vector<std::string> gpus, codes = {word("none")};
    for (const gpu::Capability& one : gpu::capabilities()) gpus.push_back(one.text());
    for (const Target& one : targets) codes.push_back(one.text());
    const analysis::DeviceMatch match = analysis::device_of(in.trace, in.walk, in.hardware.devices);
    const std::string own =
        match.device && match.device->compute_capability ? *match.device->compute_capability : "9.0";
    const auto found = std::ranges::find(gpus, own);
    const std::size_t first = found == gpus.end() ? 5 : static_cast<std::size_t>(found - gpus.begin());
    gpu = &gpu::capabilities()[controls.choice("gpu", gpus, first, "walk")];
    // The example: code of an A100, and its PTX.
    const std::size_t of_cubin = controls.choice("cubin", codes, 2, "example");
    const std::size_t of_ptx = controls.choice("ptx", codes, 2, "example");
    if (of_cubin > 0) cubin = targets[of_cubin - 1];
    if (of_ptx > 0) ptx = targets[of_ptx - 1];
    record = kernel_record(in.trace, in.walk);
    if (record != nullptr && record->module < in.trace.records.modules.size() &&
        !in.trace.records.modules[record->module].ptx.empty())
      module = &in.trace.records.modules[record->module];
    if (module != nullptr) instructions = ptx::used_instructions(module->ptx, record->entry);
  }

  bool uses(const gpu::GatedFeature& feature) const {
    return std::ranges::any_of(instructions,
                               [&](const std::string& one) { return one.find(feature.ptx) != std::string::npos; });
  }

  Start start_on(int capability) const {
    if (cubin && gpu::cubin_runs_on(*cubin, capability)) return Start::machine_code;
    if (ptx && gpu::ptx_runs_on(*ptx, capability)) return Start::compiled;
    return Start::fails;
  }
  std::string start_word(int capability) const {
    return word(start_keys[static_cast<std::size_t>(start_on(capability))]);
  }
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(compute_capability_words, key, values);
  }
};

Tone tone_of(Start start) {
  return start == Start::machine_code ? Tone::work : start == Start::compiled ? Tone::shared : Tone::refused;
}

Panel generations_panel(const Compatibility& c) {
  TablePicture table;
  table.columns = {{c.word("capability"), 2}, {c.word("generation"), 2}, {c.word("examples"), 3}, {c.word("new"), 7}};
  for (const gpu::Capability& one : gpu::capabilities()) {
    std::string fresh;
    for (const gpu::GatedFeature& feature : gpu::gated_features()) {
      // The first of the list that has it.
      const auto first = std::ranges::find_if(
          gpu::capabilities(), [&](const gpu::Capability& other) { return gpu::has_feature(feature, other.number); });
      if (first->number == one.number) fresh += (fresh.empty() ? "" : ", ") + c.word(fmt::format("of.{}", feature.key));
    }
    table.rows.push_back({{word_cell(one.text()), word_cell(std::string(one.generation)),
                           word_cell(std::string(one.examples)), word_cell(fresh.empty() ? "–" : fresh)},
                          one.number == c.gpu->number});
  }
  table.columns.back().wraps = true;
  return {"", 1, std::move(table)};
}

// Each feature: what it needs, whether the GPU has it, and whether the followed kernel's PTX uses it.
Panel features_panel(const Compatibility& c, bool of_kernel) {
  TablePicture table;
  table.columns = {{c.word("feature"), 5}, {c.word("ptx_head"), 3}, {c.word("needs"), 3}, {c.word("gpu_head"), 2}};
  if (of_kernel) table.columns.push_back({c.word("kernel_head"), 2});
  for (const gpu::GatedFeature& feature : gpu::gated_features()) {
    std::string needs;
    if (!feature.specific()) {
      needs = c.word("since", {{"cc", fmt::format("{}.{}", feature.since / 10, feature.since % 10)}});
    } else {
      for (const int family : feature.families)
        if (family > 0) needs += (needs.empty() ? "" : ", ") + fmt::format("{}.x", family);
      needs = c.word("only", {{"cc", needs}});
    }
    const bool has = gpu::has_feature(feature, c.gpu->number);
    TableCell ptx = word_cell(std::string(feature.ptx));
    ptx.code = true;
    TableRow row = {{word_cell(c.word(fmt::format("of.{}", feature.key))), std::move(ptx), word_cell(needs),
                     word_cell(c.word(has ? "yes" : "no"), has ? Tone::work : Tone::refused)},
                    false};
    if (of_kernel) {
      const bool uses = c.uses(feature);
      row.cells.push_back(c.module == nullptr ? word_cell("–") : word_cell(c.word(uses ? "uses" : "no")));
      row.followed = uses;
    }
    table.rows.push_back(std::move(row));
  }
  return {"", 1, std::move(table)};
}

// The limits of one SM, of the GPUs that have a description.
Panel limits_panel(const Compatibility& c) {
  using Limit = gpu::IntParameter gpu::Device::*;
  constexpr std::pair<std::string_view, Limit> limits[] = {{"threads_per_block", &gpu::Device::threads_per_block},
                                                           {"warps_per_sm", &gpu::Device::warps_per_sm},
                                                           {"blocks_per_sm", &gpu::Device::blocks_per_sm},
                                                           {"registers_per_sm", &gpu::Device::registers_per_sm},
                                                           {"shared_per_sm", &gpu::Device::shared_per_sm},
                                                           {"shared_optin", &gpu::Device::shared_per_block_optin},
                                                           {"fp32_lanes", &gpu::Device::fp32_lanes},
                                                           {"fp64_lanes", &gpu::Device::fp64_lanes}};
  std::vector<const gpu::Device*> devices;  // one for each capability
  for (const gpu::Device& device : c.input.hardware.devices)
    if (std::ranges::none_of(devices, [&](const gpu::Device* other) {
          return *other->compute_capability == *device.compute_capability;
        }))
      devices.push_back(&device);
  std::ranges::sort(devices, {}, [](const gpu::Device* device) { return *device->compute_capability; });
  TablePicture table;
  table.columns = {{c.word("limit"), 4}};
  for (const gpu::Device* const device : devices) table.columns.push_back({*device->compute_capability, 2, true});
  for (const auto& [key, limit] : limits) {
    TableRow row;
    row.cells.push_back(word_cell(c.word(key)));
    for (const gpu::Device* const device : devices) {
      const gpu::IntParameter& value = device->*limit;
      const Unit unit = key.starts_with("shared") ? Unit::bytes : Unit::count;
      row.cells.push_back(
          value ? figure_cell(Figure::constant(static_cast<double>(*value), unit, Origin::explained, value.source))
                : word_cell("–"));
    }
    table.rows.push_back(std::move(row));
  }
  return {"", 1, std::move(table)};
}

// Whether and how a target's code runs on each GPU.
Panel matrix_panel(const Compatibility& c) {
  TablePicture table;
  table.columns = {{c.word("target"), 2}};
  for (const gpu::Capability& one : gpu::capabilities()) table.columns.push_back({one.text(), 1, true});
  for (const Target& target : targets) {
    TableRow row;
    row.cells.push_back(word_cell(target.text()));
    for (const gpu::Capability& one : gpu::capabilities()) {
      const bool machine = gpu::cubin_runs_on(target, one.number), ptx = gpu::ptx_runs_on(target, one.number);
      row.cells.push_back(word_cell(machine ? c.word("both")
                                    : ptx   ? "PTX"
                                            : "–",
                                    machine ? Tone::work
                                    : ptx   ? Tone::shared
                                            : Tone::quiet));
    }
    table.rows.push_back(std::move(row));
  }
  return {c.word("matrix"), 1, std::move(table)};
}

// Whether and how a program with the chosen codes starts on each GPU.
Panel start_panel(const Compatibility& c) {
  CellGrid cells;
  cells.columns = gpu::capabilities().size();
  cells.control = fmt::format("{}.gpu", compute_capability_name);
  for (std::size_t i = 0; i < gpu::capabilities().size(); ++i) {
    const gpu::Capability& one = gpu::capabilities()[i];
    if (one.number == c.gpu->number) cells.followed = i;
    cells.cells.push_back({tone_of(c.start_on(one.number)), one.text(),
                           c.word("start_tip", {{"gpu", one.text()}, {"start", c.start_word(one.number)}})});
  }
  cells.legend = legend(cells, c.input, compute_capability_words,
                        {{Tone::work, "machine_code"}, {Tone::shared, "compiled"}, {Tone::refused, "fails"}});
  return {c.word("starts"), 1, std::move(cells)};
}

std::vector<Task> tasks_of(const Compatibility& c) {
  const auto all = gpu::capabilities();
  const auto every = [&](Start start) {
    return std::ranges::all_of(all, [&](const gpu::Capability& one) { return c.start_on(one.number) == start; });
  };
  const auto count = [&](Start start) {
    return std::ranges::count_if(all, [&](const gpu::Capability& one) { return c.start_on(one.number) == start; });
  };
  return {{"compiled", c.start_on(c.gpu->number) == Start::compiled},
          {"fails", c.cubin && c.gpu->number > c.cubin->number && c.start_on(c.gpu->number) == Start::fails},
          {"minor", c.cubin && c.cubin->number == 80 && c.gpu->number == 86 && c.start_on(86) == Start::machine_code},
          {"specific", !c.cubin && count(Start::compiled) == 1},
          {"widest", count(Start::fails) == 1},
          {"nothing", every(Start::fails)}};
}

using CapabilityBeat = BeatOf<Compatibility>;

std::size_t features_of(const gpu::Capability& gpu) {
  return static_cast<std::size_t>(std::ranges::count_if(
      gpu::gated_features(), [&](const gpu::GatedFeature& feature) { return gpu::has_feature(feature, gpu.number); }));
}

std::string target_text(const Compatibility& c, const std::optional<Target>& target) {
  return target ? target->text() : c.word("none");
}

Narration::Values capability_values(const Compatibility& c) {
  return {{"gpu", c.gpu->text()},
          {"generation", std::string(c.gpu->generation)},
          {"has", fmt::to_string(features_of(*c.gpu))},
          {"all", fmt::to_string(gpu::gated_features().size())},
          {"cubin", target_text(c, c.cubin)},
          {"ptx", target_text(c, c.ptx)},
          {"start", c.start_word(c.gpu->number)}};
}

void capability_facts(const Compatibility& c, FactWriter& facts) {
  facts.derived("gpu", fmt::format("{} ({})", c.gpu->text(), c.gpu->generation));
  facts.counted("has", features_of(*c.gpu));
  facts.derived("cubin", target_text(c, c.cubin));
  facts.derived("ptx", target_text(c, c.ptx));
  facts.derived("start", c.start_word(c.gpu->number));
}

std::optional<Ask> load_question(const Compatibility& c) {
  Options options;
  for (const std::string_view key : start_keys) options.words.push_back(c.word(key));
  options.right = static_cast<std::size_t>(c.start_on(c.gpu->number));
  options.keys.assign(std::begin(start_keys), std::end(start_keys));
  Ask asked{"load",
            fmt::format("{} {} {}", target_text(c, c.cubin), target_text(c, c.ptx), c.gpu->number),
            std::move(options),
            {"gpu", "cubin", "ptx"}};
  asked.hide = [](Panels& panels) {  // the capabilities stay
    if (auto* const gpus = picture_at<CellGrid>(panels, 0, 0)) hide_tones(*gpus);
  };
  return asked;
}

constexpr Frame<Compatibility> capability_frame = {
    .subject = [](const Here& here) { return Compatibility(here.input); },
    .stop = "driver",
    .values = capability_values,
    .facts = capability_facts,
    .complete = take_controls};

ControlNames gpu_controls(const Compatibility&) { return {"gpu"}; }

constexpr CapabilityBeat capability_beats[] = {
    {.key = "generations",
     .panels = [](const Compatibility& c) -> PanelRows {
       return {{1, {generations_panel(c)}}};
     },
     .controls = gpu_controls},
    {.key = "features",
     .panels = [](const Compatibility& c) -> PanelRows {
       return {{1, {features_panel(c, false)}}};
     },
     .controls = gpu_controls},
    {.key = "limits",
     .panels = [](const Compatibility& c) -> PanelRows {
       return {{1, {limits_panel(c)}}};
     },
     .controls = no_controls},
    {.key = "load",
     .panels = [](const Compatibility& c) -> PanelRows {
       return {{1, {start_panel(c)}}};
     },
     .question = load_question},
    {.key = "matrix",
     .panels = [](const Compatibility& c) -> PanelRows {
       return {{1, {matrix_panel(c)}, true}};
     },
     .controls = no_controls},
    {.key = "kernel",
     .section = [](const Compatibility& c) -> std::string { return c.module == nullptr ? "no_kernel" : "kernel"; },
     .panels = [](const Compatibility& c) -> PanelRows {
       return {{1, {features_panel(c, true)}}};
     },
     .controls = gpu_controls},
    {.key = "tasks", .panels = [](const Compatibility& c) -> PanelRows {
       return {{3, {tasks_panel(c.input, compute_capability_name, tasks_of(c))}, true}, {2, {start_panel(c)}}};
     }}};

}  // namespace

const Contents& compute_capability_lab() {
  static const BeatTable table(compute_capability_name, capability_frame, capability_beats);
  return table;
}

}  // namespace warpwalk::story
