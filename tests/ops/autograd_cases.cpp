#include "tests/ops/autograd_cases.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include <rapidjson/document.h>

#include "core/ops/dispatch/autograd.h"
#include "tests/ops/tensor_json.h"

namespace warpwalk::ops {
namespace {

using Value = rapidjson::Value;

template <class Item, class From>
std::vector<Item> list_of(const Value& array, From from) {
  std::vector<Item> out;
  for (const Value& item : array.GetArray()) out.push_back(from(item));
  return out;
}

std::vector<double> values_in(const Value& array) {
  return list_of<double>(array, [](const Value& v) { return v.GetDouble(); });
}

RecordedTensor recorded_tensor(const Value& value) {
  RecordedTensor out;
  if (value.HasMember("dtype")) out.dtype = dtype_of(value["dtype"].GetString()).value();
  out.sizes = sizes_of(value["sizes"]);
  out.values = values_in(value["values"]);
  return out;
}

std::variant<GradientCase::Reference, Argument> argument_of(const Value& value) {
  const auto& member = value.MemberBegin();
  const Value& v = member->value;
  switch (member->name.GetString()[0]) {
    case 't': return GradientCase::Reference{v.GetUint()};
    case 'i': return Argument(v.GetInt64());
    case 'f': return Argument(v.GetDouble());
    case 's': return Argument(sizes_of(v));
    case 'd': return Argument(dtype_of(v.GetString()).value());
    case 'b': return Argument(v.GetBool());
    case 'n': return Argument(None{});
    default: throw std::runtime_error("gradients.json: an argument of no known kind");
  }
}

GradientCase::Run run_of(const Value& value) {
  GradientCase::Run run;
  run.result = recorded_tensor(value["result"]);
  for (const Value& gradient : value["gradients"].GetArray())
    run.gradients.push_back(gradient.IsNull() ? std::optional<RecordedTensor>() : recorded_tensor(gradient));
  return run;
}

GradientCase case_of(const Value& value) {
  GradientCase out;
  out.name = value["name"].GetString();
  for (const Value& input : value["inputs"].GetArray()) {
    out.inputs.push_back(recorded_tensor(input));
    out.typed.push_back(input.HasMember("dtype"));
  }
  for (const Value& step : value["steps"].GetArray()) {
    out.steps.push_back({step[0].GetString(), {}});
    for (const Value& argument : step[1].GetArray()) out.steps.back().arguments.push_back(argument_of(argument));
  }
  out.upstream = values_in(value["upstream"]);
  if (value.HasMember("tape"))
    out.tape = list_of<std::string>(value["tape"], [](const Value& v) { return std::string(v.GetString()); });
  if (value.HasMember("autocast")) out.autocast = dtype_of(value["autocast"].GetString());
  if (value.HasMember("f32")) out.f32 = run_of(value["f32"]);
  if (value.HasMember("f64")) out.f64 = run_of(value["f64"]);
  return out;
}

RecordedProfile profile_of(const Value& value) {
  RecordedProfile out;
  out.name = value["name"].GetString();
  out.inputs = list_of<Sizes>(value["inputs"], sizes_of);
  for (const Value& row : value["rows"].GetArray())
    out.rows.push_back({row[0].GetInt(), row[1].GetString(), row[2].GetInt64()});
  return out;
}

Recorded read_gradients() {
  std::ifstream file(WARPWALK_TEST_DATA "/gradients.json");
  std::stringstream text;
  text << file.rdbuf();
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(text.str().c_str());
  if (document.HasParseError()) throw std::runtime_error("gradients.json cannot be read");
  Recorded out;
  out.cases = list_of<GradientCase>(document["cases"], case_of);
  out.profiles = list_of<RecordedProfile>(document["profiles"], profile_of);
  return out;
}

}  // namespace

const Recorded& recorded() {
  static const Recorded all = read_gradients();
  return all;
}

std::vector<std::string> tape_of(const Tensor& result) {
  std::vector<std::string> names;
  std::set<const Node*> seen;
  std::vector<std::shared_ptr<Node>> open = {edge_of(result).node};
  while (!open.empty()) {
    const std::shared_ptr<Node> node = open.back();
    open.pop_back();
    if (node == nullptr || !seen.insert(node.get()).second) continue;
    names.push_back(node->name);
    for (const Edge& edge : node->next) open.push_back(edge.node);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Tensor tensor_of(Memory& memory, DType dtype, const Sizes& sizes, const std::vector<double>& values) {
  std::vector<std::uint8_t> bytes;
  for (const double value : values) {
    const std::uint64_t bits = float_bits(dtype, value);
    for (std::size_t b = 0; b < bytes_of(dtype); ++b) bytes.push_back(static_cast<std::uint8_t>(bits >> 8 * b));
  }
  return tensor_from(memory, dtype, sizes, bytes);
}

std::vector<Tensor> GradientCase::evaluate(Dispatcher& dispatcher, Memory& memory, DType dtype, bool gradients,
                                           const std::vector<std::vector<double>>* values) const {
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    tensors.push_back(tensor_of(memory, typed[i] ? inputs[i].dtype : dtype, inputs[i].sizes,
                                values == nullptr ? inputs[i].values : (*values)[i]));
    if (gradients) set_requires_grad(tensors.back());
  }
  for (const Step& step : steps) {
    std::vector<Argument> arguments;
    for (const auto& argument : step.arguments) {
      const auto* const reference = std::get_if<Reference>(&argument);
      arguments.push_back(reference != nullptr ? Argument(tensors[reference->tensor]) : std::get<Argument>(argument));
    }
    tensors.push_back(dispatcher.call(step.op, std::move(arguments)));
  }
  return tensors;
}

Tensor GradientCase::start(Memory& memory, const Tensor& result) const {
  return tensor_of(memory, result.dtype(), result.sizes(), upstream);
}

}  // namespace warpwalk::ops
