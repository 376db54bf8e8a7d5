#include "tests/ops/pytorch_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/library/library.h"
#include "core/ops/tensor/geometry.h"

namespace warpwalk::ops {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array special = {0.0,  -0.0, inf,  -inf, nan,   1.0,  -1.0,  1e-3, -1e-3, 0.1,
                                -3.5, 9.0,  -9.0, 20.0, -20.0, 90.0, -90.0, 4e4,  -4e4};

std::vector<double> numbers_of(const rapidjson::Value& list) {
  std::vector<double> numbers;
  for (const auto& item : list.GetArray())
    numbers.push_back(item.IsNumber()                               ? item.GetDouble()
                      : std::string_view(item.GetString()) == "nan" ? nan
                      : std::string_view(item.GetString()) == "inf" ? inf
                                                                    : -inf);
  return numbers;
}

PyTorchResult result_of(const rapidjson::Value& value) {
  PyTorchResult result;
  if (value.HasMember("refused")) {
    result.refused = true;
    result.error = value["refused"].GetString();
    return result;
  }
  result.dtype = dtype_of(value["dtype"].GetString()).value();
  for (const auto& size : value["sizes"].GetArray()) result.sizes.push_back(size.GetInt64());
  result.values = numbers_of(value["values"]);
  if (value.HasMember("tape"))
    for (const auto& node : value["tape"].GetArray()) result.tape.emplace_back(node.GetString());
  if (value.HasMember("gradients"))
    for (const auto& gradient : value["gradients"].GetArray())
      result.gradients.push_back(gradient.IsNull() ? std::nullopt : std::optional(numbers_of(gradient)));
  return result;
}

Variable input_of(const std::string& name, const std::string& described, DType dtype) {
  const std::size_t colon = described.find(':');
  if (colon != std::string::npos) dtype = dtype_of(described.substr(colon + 1)).value();
  return {name, dtype, parse_shape(described.substr(0, colon)).value()};
}

void read_cases(const std::filesystem::path& file, std::vector<PyTorchCase>& all) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(text.str().c_str());
  if (document.HasParseError()) throw std::runtime_error(file.string() + " cannot be read");
  rapidjson::SizeType row = 0;
  for (const auto& value : document["cases"].GetArray()) {
    std::istringstream dtypes(value["dtypes"].GetString());
    for (std::string dtype; dtypes >> dtype; ++row) {
      PyTorchCase& one = all.emplace_back();
      one.file = file.stem();
      one.text = value["text"].GetString();
      one.values = value.HasMember("values") ? value["values"].GetString() : "grid";
      if (value.HasMember("slack")) one.slack = value["slack"].GetDouble();
      if (value.HasMember("autocast")) one.autocast = dtype_of(value["autocast"].GetString());
      for (const auto& input : value["inputs"].GetObject())
        one.inputs.push_back(input_of(input.name.GetString(), input.value.GetString(), dtype_of(dtype).value()));
      if (row >= document["recorded"].Size()) throw std::runtime_error(file.string() + " lacks results: record_ops.py");
      one.want = result_of(document["recorded"][row]);
    }
  }
  if (row != document["recorded"].Size())
    throw std::runtime_error(file.string() + " has results of other cases: record_ops.py");
}

std::vector<PyTorchCase> read_all() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(WARPWALK_PYTORCH_CASES)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<PyTorchCase> all;
  for (const auto& file : files) read_cases(file, all);
  return all;
}

}  // namespace

std::string PyTorchCase::name() const {
  std::string types;
  for (const Variable& input : inputs)
    types += fmt::format(" {}={}:{}", input.name, shape_text(input.sizes), name_of(input.dtype));
  return fmt::format("{}.json: {}{}{}", file, text, types, autocast ? " autocast" : "");
}

std::vector<double> PyTorchCase::contents(std::size_t input) const {
  std::vector<double> out;
  const bool whole = !is_float(inputs[input].dtype);
  for (std::int64_t k = 0; k < count_of(inputs[input].sizes); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const auto grid = static_cast<double>((7 * at + 3 * input) % 11);
    const double value = values == "positive" ? grid + 1 : grid - 5;
    out.push_back(values == "special" ? special[(at + input) % special.size()] : whole ? value : value / 4);
  }
  return out;
}

std::vector<std::uint8_t> PyTorchCase::bytes(std::size_t input) const {
  const DType dtype = inputs[input].dtype;
  std::vector<std::uint8_t> out;
  for (const double value : contents(input)) {
    const std::uint64_t bits =
        is_float(dtype) ? float_bits(dtype, value) : static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    for (std::size_t b = 0; b < bytes_of(dtype); ++b) out.push_back(static_cast<std::uint8_t>(bits >> 8 * b));
  }
  return out;
}

std::set<std::string> ops_of_pytorch_cases() {
  class CalledOps : public Observer {
   public:
    void op_begins(const Call& call) override { names.emplace(call.name()); }
    std::set<std::string> names;
  } log;
  for (const PyTorchCase& given : pytorch_cases()) {
    if (given.want.refused) continue;
    CpuMemory memory;
    Dispatcher dispatcher(&log);
    register_library(dispatcher);
    register_cpu(dispatcher);
    dispatcher.set_memory(memory);
    const auto expression = std::get<Expression>(Expression::parse(given.text));
    std::vector<Tensor> inputs;
    for (const std::string& name : expression.names()) {
      const auto i =
          static_cast<std::size_t>(std::ranges::find(given.inputs, name, &Variable::name) - given.inputs.begin());
      inputs.push_back(tensor_from(memory, given.inputs[i].dtype, given.inputs[i].sizes, given.bytes(i)));
    }
    evaluate(expression, dispatcher, inputs);
  }
  return std::move(log.names);
}

const std::vector<PyTorchCase>& pytorch_cases() {
  static const std::vector<PyTorchCase> all = read_all();
  return all;
}

std::vector<double> upstream_of(const Sizes& sizes) {
  std::vector<double> values;
  for (std::int64_t k = 0; k < count_of(sizes); ++k) values.push_back(static_cast<double>(5 * k % 7 - 3) / 2);
  return values;
}

}  // namespace warpwalk::ops
