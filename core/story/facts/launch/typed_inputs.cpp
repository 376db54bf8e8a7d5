#include "core/story/facts/launch/typed_inputs.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/exact_json.h"
#include "core/ops/expression/expression.h"
#include "core/run/launch/generate.h"

namespace warpwalk::story {
namespace {

using trace::InitialBuffer;

std::string_view text_of(const rapidjson::Value& value) { return {value.GetString(), value.GetStringLength()}; }

// "256x128 f32"
struct TypedTensor {
  ops::Sizes sizes;
  ops::DType dtype = ops::DType::f32;
};
std::optional<TypedTensor> tensor_of(const rapidjson::Value& value) {
  if (!value.IsString()) return {};
  const std::string_view text = text_of(value);
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return {};
  const auto sizes = ops::parse_shape(text.substr(0, space));
  const auto dtype = ops::dtype_of(text.substr(space + 1));
  if (!sizes || !dtype) return {};
  return TypedTensor{*sizes, *dtype};
}

// What the run recorded: the metadata "warpwalk_run"; nullopt if it has none.
std::optional<rapidjson::Document> recorded_run(const Trace& trace) {
  const auto entry =
      std::ranges::find_if(trace.metadata, [&](const auto& one) { return trace.text(one.first) == "warpwalk_run"; });
  if (entry == trace.metadata.end()) return {};
  rapidjson::Document run;
  if (base::parse_exact(trace.text(entry->second), run).IsError() || !run.IsObject()) return {};
  return run;
}

// The elements of an input from a file, as a kernel found them; empty if they are not in the trace.
std::span<const std::uint8_t> given_bytes(const Trace& trace, std::size_t allocation, std::size_t bytes) {
  for (const trace::KernelRecord& kernel : trace.records.kernels)
    for (const InitialBuffer& buffer : kernel.buffers)
      if (buffer.allocation == allocation && buffer.kind == InitialBuffer::Kind::bytes && buffer.bytes.size() == bytes)
        return buffer.bytes;
  return {};
}

}  // namespace

std::optional<TypedRun> typed_run(const Trace& trace) {
  const auto names = ops::names_in(trace.records.expression);
  const auto run = recorded_run(trace);
  if (trace.records.expression.empty() || !names || !run) return {};
  const auto inputs = run->FindMember("inputs"), result = run->FindMember("result"), seed = run->FindMember("seed"),
             given = run->FindMember("given");
  const auto end = run->MemberEnd();
  if (inputs == end || !inputs->value.IsObject() || result == end || seed == end || !seed->value.IsUint64()) return {};
  const auto made = tensor_of(result->value);
  if (!made) return {};
  std::set<std::string_view> from_file;
  if (given != end && given->value.IsArray())
    for (const rapidjson::Value& name : given->value.GetArray())
      if (name.IsString()) from_file.insert(text_of(name));
  TypedRun typed;
  typed.result = made->sizes;
  for (const std::string& name : *names) {
    std::uint64_t number = 0;  // among the inputs, whose seeds follow each other
    for (const auto& member : inputs->value.GetObject()) {
      const std::uint64_t own_seed = seed->value.GetUint64() + number++;
      if (text_of(member.name) != name) continue;
      const auto tensor = tensor_of(member.value);
      if (!tensor) return {};
      TypedInput& input = typed.inputs.emplace_back();
      input.name = name;
      const auto& allocations = trace.records.allocations;
      const auto at = std::ranges::find(allocations, name, &trace::Allocation::name);
      if (at != allocations.end()) input.allocation = static_cast<std::size_t>(at - allocations.begin());
      input.values = {tensor->dtype, ops::contiguous_geometry(tensor->sizes), own_seed, true, {}};
      const auto count = static_cast<std::size_t>(input.values.geometry.count());
      if (from_file.contains(name))
        input.values.bytes = given_bytes(trace, input.allocation, count * ops::bytes_of(tensor->dtype));
      input.known = count > 0 && (!from_file.contains(name) || !input.values.bytes.empty());
    }
  }
  if (typed.inputs.empty()) return {};
  return typed;
}

std::string element_text(const InputValues& values, std::int64_t row, std::int64_t column) {
  if (ops::is_float(values.dtype)) return element_text(values.at(row, column));
  const auto index = static_cast<std::uint64_t>(values.index_of(row, column));
  if (values.bytes.empty()) return ops::text_of(values.dtype, run::random_whole(values.dtype, values.seed, index));
  const std::size_t size = ops::bytes_of(values.dtype);
  return ops::text_of(values.dtype, ops::load_bits(values.dtype, values.bytes.data() + index * size));
}

}  // namespace warpwalk::story
