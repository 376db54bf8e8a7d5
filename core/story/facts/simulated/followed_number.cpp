#include "core/story/facts/simulated/followed_number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/gpu/exec/program.h"
#include "core/ops/tensor/dtype.h"
#include "core/run/replay/history.h"
#include "core/run/replay/stand_in_inputs.h"
#include "core/run/replay/time_travel.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/words/opening_line.h"

namespace warpwalk::story {
namespace {

/// Rows and columns of the corner that the first scene shows.
constexpr std::int64_t corner = 4;

SliceId op_of_result(const Walk& walk) { return walk.ops.empty() ? walk.op : walk.ops.back(); }

/// The first number of the corner that is greater than 0, not at its edge if there is such a one.
ElementIndex usual_element(const analysis::Tensor& result, const std::optional<MatrixProduct>& product) {
  const std::int64_t rows = std::min(corner, result.sizes[0]), columns = std::min(corner, result.sizes[1]);
  const ElementIndex middle{std::min<std::int64_t>(1, rows - 1), std::min<std::int64_t>(2, columns - 1)};
  if (!product) return middle;
  for (std::int64_t n = 0; n < rows * columns; ++n) {
    const std::int64_t from_middle = (middle.row * columns + middle.column + n) % (rows * columns);
    const ElementIndex at{from_middle / columns, from_middle % columns};
    const std::vector<float> sums = product->sums(at.row, at.column);
    if (sums.empty()) return middle;
    if (sums.back() > 0) return at;
  }
  return middle;
}

/// The kernel of the next op of the line, if that computes each element from the one at the same place.
SliceId kernel_after(const Trace& trace, const Walk& walk, const analysis::Tensor& result) {
  const std::optional<OpeningLine> line = opening_line(trace, walk);
  if (!line || line->second == no_slice || walk.ops.empty() || line->second == walk.ops.front()) return no_slice;
  const std::vector<analysis::Tensor> inputs = analysis::tensors_of(trace, line->second);
  const std::optional<analysis::Tensor> output = analysis::output_of(trace.name(line->second), inputs);
  if (inputs.size() != 1 || !output || output->sizes != result.sizes || output->type != result.type) return no_slice;
  const Walk after = follow_op(trace, line->second);
  return after.gpu_pieces == 1 ? after.kernel : no_slice;
}

}  // namespace

std::string FollowedNumber::name() const { return fmt::format("c[{}, {}]", at.row, at.column); }

std::optional<FollowedNumber> followed_number(const Trace& trace, const Walk& walk, const Controls& controls) {
  const SliceId op = op_of_result(walk);
  if (op == no_slice || kernel_detail(trace, walk) == nullptr) return {};
  auto result = analysis::output_of(trace.name(op), analysis::tensors_of(trace, op));
  if (!result || result->sizes.size() != 2 || result->count() == 0 || result->layout() != analysis::Layout::contiguous)
    return {};
  FollowedNumber number{std::move(*result), {}, untiled_product(trace, walk)};
  number.at = walk.element.value_or(ElementIndex{});
  if (!walk.element) number.at = usual_element(number.result, number.product);
  const auto choose = [&](std::string_view control, std::int64_t last, std::int64_t& at) {
    if (const auto set = controls.get(element_scene, control); set && std::isfinite(*set))
      at = std::clamp(static_cast<std::int64_t>(*set), std::int64_t{0}, last);
  };
  choose(element_row, number.result.sizes[0] - 1, number.at.row);
  choose(element_column, number.result.sizes[1] - 1, number.at.column);
  if (number.at.row >= number.result.sizes[0] || number.at.column >= number.result.sizes[1]) return {};
  return number;
}

base::Result<Walk> chosen_walk(const Trace& trace, std::string_view follow) {
  if (follow.empty()) return default_walk(trace);
  auto walk = story::follow(trace, follow);
  if (!walk || !walk->element || followed_number(trace, *walk, {})) return walk;
  Walk usual = *walk;
  usual.element.reset();
  const auto number = followed_number(trace, usual, {});
  if (!number)
    return base::Error{fmt::format("{}: this walk has no result of two dimensions whose sizes are recorded", follow)};
  return base::Error{fmt::format("{}: the result has the elements 0,0 to {},{}", follow, number->result.sizes[0] - 1,
                                 number->result.sizes[1] - 1)};
}

std::uint64_t followed_block(const SceneInput& input, std::uint64_t blocks) {
  const auto set = input.set("launch", "follow");
  if (blocks == 0) return 0;
  if (!set || std::isnan(*set)) {
    const run::NumberTrail* const trail = input.history.trail;
    return trail != nullptr && trail->warp.block < blocks ? trail->warp.block : 0;
  }
  return static_cast<std::uint64_t>(std::clamp(*set, 0.0, static_cast<double>(blocks - 1)));
}

std::optional<run::NumberRequest> number_request(const Trace& trace, const Walk& walk, const Controls& controls) {
  const auto number = followed_number(trace, walk, controls);
  if (!number) return {};
  return run::NumberRequest{number->result.sizes[0],
                            number->result.sizes[1],
                            number->at.row,
                            number->at.column,
                            static_cast<std::uint32_t>(number->result.element),
                            kernel_after(trace, walk, number->result)};
}

std::string value_text(const FollowedNumber& number, std::uint64_t bits) {
  const auto dtype = run::tensor_dtype(number.result.type);
  if (!dtype) return fmt::format("{:#x}", bits);
  if (ops::is_float(*dtype)) return element_text(ops::float_value(*dtype, bits));
  return ops::text_of(*dtype, bits);
}

std::vector<PartialSum> partial_sums(const FollowedNumber& number, const run::NumberTrail& trail) {
  if (!number.product || number.product->inputs.size() != 2 || number.result.element != 4) return {};
  const std::vector<float> expected = number.product->sums(number.at.row, number.at.column);
  if (expected.empty()) return {};
  const auto& steps = trail.origin.steps;
  // From the store back along the register that is added to; moves and shuffles have one source.
  std::vector<std::uint32_t> chain;
  for (auto at = static_cast<std::uint32_t>(steps.size() - 1);;) {
    const auto passes_on = [&](std::uint32_t from) {
      const gpu::OriginStep::Kind kind = steps[from].kind;
      return !steps[from].from.empty() &&
             (kind == gpu::OriginStep::Kind::compute || kind == gpu::OriginStep::Kind::exchange);
    };
    const auto& from = steps[at].from;
    const auto before = std::find_if(from.rbegin(), from.rend(), passes_on);
    if (before == from.rend()) break;
    at = *before;
    if (steps[at].from.size() > 1 && steps[at].value_bytes == 4) chain.push_back(at);
  }
  std::ranges::reverse(chain);
  // A tile may be filled up with zeros behind the last product.
  if (chain.size() < expected.size()) return {};
  std::vector<PartialSum> sums;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const gpu::OriginStep& step = steps[chain[k]];
    const float sum = std::bit_cast<float>(static_cast<std::uint32_t>(step.value));
    if (sum != expected[k] && !(std::isnan(sum) && std::isnan(expected[k]))) return {};
    const auto index = static_cast<std::int64_t>(k);
    sums.push_back({chain[k], index, number.product->inputs[0].at(number.at.row, index),
                    number.product->inputs[1].at(index, number.at.column), sum, trail.cycles[chain[k]]});
  }
  return sums;
}

std::string register_of(const run::TimeTravel& travel, const gpu::OriginStep& step) {
  const auto& code = travel.program().machine_code;
  if (step.place == 0) return {};
  constexpr std::uint32_t register_bytes = 32 * 4;
  if (code) {
    const gpu::MachineFrame& frame = code->frame;
    if (step.place >= frame.general && step.place < frame.uniform)
      return fmt::format("R{}", (step.place - frame.general) / register_bytes);
    return {};
  }
  const gpu::Function& function = travel.program().functions.front();
  for (std::size_t i = 0; i < function.register_offsets.size(); ++i)
    if (function.register_offsets[i] == step.place) return function.source->registers[i].name;
  return {};
}

namespace {

/// The values of the sentences in [number.SCENE].
Narration::Values values_of(const SceneInput& input, const FollowedNumber& number) {
  Narration::Values values{
      {"c", number.name()}, {"row", with_thousands(number.at.row)}, {"column", with_thousands(number.at.column)}};
  const std::int64_t element = number.at.row * number.result.sizes[1] + number.at.column;
  values["element"] = with_thousands(element);
  values["offset"] = with_thousands(element * number.result.element);
  values["size"] = std::to_string(number.result.element);
  values["columns"] = std::to_string(number.result.sizes[1]);
  if (number.product) {
    values["k"] = with_thousands(number.product->k);
    if (const auto sums = number.product->sums(number.at.row, number.at.column); !sums.empty())
      values["value"] = element_text(sums.back());
  }
  if (input.history.trail == nullptr) return values;
  const run::NumberTrail& trail = *input.history.trail;
  const gpu::OriginStep& store = trail.store();
  values["value"] = value_text(number, trail.bits);
  values["address"] = fmt::format("{:#x}", trail.address);
  values["block"] = with_thousands(static_cast<std::int64_t>(store.warp.block));
  values["blocks"] = with_thousands(static_cast<std::int64_t>(input.history.travel->timing().sm.size()));
  values["warp"] = std::to_string(store.warp.warp);
  values["lane"] = std::to_string(trail.lane);
  values["sm"] = std::to_string(trail.sm);
  values["slot"] = std::to_string(trail.warp.slot);
  const auto schedulers = static_cast<std::uint16_t>(*input.history.travel->device().sub_partitions);
  values["scheduler"] = std::to_string(trail.warp.slot % schedulers);
  values["register"] = register_of(*input.history.travel, store);
  values["store"] = instruction_text(*input.history.travel, *input.history.history, store.instruction).text;
  std::int64_t loaded = 0;
  for (const run::BufferPlace& part : trail.inputs)
    if (part.buffer != run::NumberTrail::no_buffer) loaded += part.bytes;
  values["loads"] = with_thousands(loaded / number.result.element);
  std::int64_t first = -1, last = -1;
  for (const std::int64_t cycle : trail.cycles) {
    if (cycle < 0) continue;
    first = first < 0 ? cycle : std::min(first, cycle);
    last = std::max(last, cycle);
  }
  if (first >= 0) {
    values["from"] = with_thousands(first);
    values["to"] = with_thousands(last);
  }
  const std::vector<PartialSum> sums = partial_sums(number, trail);
  values["steps"] = with_thousands(static_cast<std::int64_t>(sums.empty() ? trail.origin.steps.size() : sums.size()));
  std::set<std::uint32_t> adders;
  for (const PartialSum& sum : sums) adders.insert(trail.origin.steps[sum.step].instruction);
  values["adders"] = count_text(input.narration, "instruction", static_cast<std::int64_t>(adders.size()));
  if (!sums.empty())
    values["adds"] = instruction_text(*input.history.travel, *input.history.history,
                                      trail.origin.steps[sums.front().step].instruction)
                         .text;
  return values;
}

}  // namespace

std::optional<NumberLine> number_line(const SceneInput& input, std::string_view scene) {
  const std::string section = fmt::format("number.{}", scene);
  if (!input.narration.has(section, "trail")) return {};
  const auto number = followed_number(input.trace, input.walk, input.controls);
  if (!number) return {};
  const Narration::Values values = values_of(input, *number);
  std::string key = "trail";
  if (input.history.trail == nullptr) {
    key = number->product ? "product" : "other";
    if (!input.narration.has(section, key)) key = "unknown";
  } else if (!values.contains("from") && input.narration.has(section, "uncut")) {
    key = "uncut";
  } else if (!values.contains("adds") && input.narration.has(section, "other_sum")) {
    key = "other_sum";
  }
  const run::NumberTrail* const trail = input.history.trail;
  NumberLine line{number->name(), input.narration.text(section, key, values), {}};
  // Before the answer is found, only the address is a figure.
  if (trail != nullptr && scene != element_scene)
    line.origin = Origin::simulated;
  else if (scene == "warehouse")
    line.origin = Origin::derived;
  const auto add = [&](std::string_view note, const std::string& reason) {
    line.text += " " + input.narration.text("number.note", note, {{"reason", reason}});
  };
  if (scene == element_scene) return line;  // it asks for the number; where it comes from is told later
  if (trail != nullptr && input.history.stand_in()) add("stand_in", {});
  if (trail != nullptr && !trail->origin.incomplete.empty()) add("incomplete", trail->origin.incomplete);
  if (!input.history.no_trail.empty()) add("failed", input.history.no_trail);
  return line;
}

}  // namespace warpwalk::story
