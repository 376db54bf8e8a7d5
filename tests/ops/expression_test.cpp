// Compares with Python's parser and PyTorch's results (expression_cases.py), and checks error messages.
#include "core/ops/expression/expression.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/expression/tree.h"
#include "core/ops/library/library.h"
#include "core/ops/tensor/geometry.h"
#include "tests/ops/tensor_json.h"

namespace warpwalk::ops {
namespace {

using NodeKind = ExpressionNode::Kind;

std::string number_text(const Number& number) {
  if (const auto* const whole = std::get_if<std::int64_t>(&number)) return std::to_string(*whole);
  const std::string text = fmt::format("{}", std::get<double>(number));
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string item_text(const IndexItem& item) {
  switch (item.kind) {
    case IndexItem::Kind::ellipsis: return "...";
    case IndexItem::Kind::new_dim: return "None";
    case IndexItem::Kind::index: return std::to_string(item.index);
    case IndexItem::Kind::slice: break;
  }
  const auto bound = [](std::optional<std::int64_t> value) { return value ? std::to_string(*value) : ""; };
  return bound(item.start) + ":" + bound(item.stop) + ":" + (item.step == 1 ? "" : std::to_string(item.step));
}

std::string tree_text(const ExpressionNode& node);

std::string argument_text(const ExpressionNode& node, const WrittenArgument& argument) {
  if (const auto* const operand = std::get_if<WrittenArgument::Operand>(&argument.value))
    return tree_text(*node.operands.at(operand->row));
  if (const auto* const flag = std::get_if<bool>(&argument.value)) return *flag ? "True" : "False";
  if (const auto* const whole = std::get_if<std::int64_t>(&argument.value)) return std::to_string(*whole);
  if (const auto* const real = std::get_if<double>(&argument.value)) return fmt::format("{}", *real);
  if (const auto* const text = std::get_if<std::string>(&argument.value)) return "'" + *text + "'";
  const auto& sizes = std::get<Sizes>(argument.value);
  return sizes.size() == 1 ? std::to_string(sizes[0]) : fmt::format("({})", fmt::join(sizes, ", "));
}

/// The expression tree in the format of expression_cases.py.
std::string tree_text(const ExpressionNode& node) {
  const auto operand = [&](std::size_t i) { return tree_text(*node.operands.at(i)); };
  const auto call = [&](const char* name) { return std::string(name) + "(" + operand(0) + ")"; };
  switch (node.kind) {
    case NodeKind::name: return node.name;
    case NodeKind::number: return number_text(node.number);
    case NodeKind::negative: return "(-" + operand(0) + ")";
    case NodeKind::positive: return "(+" + operand(0) + ")";
    case NodeKind::add: return "(" + operand(0) + " + " + operand(1) + ")";
    case NodeKind::subtract: return "(" + operand(0) + " - " + operand(1) + ")";
    case NodeKind::multiply: return "(" + operand(0) + " * " + operand(1) + ")";
    case NodeKind::divide: return "(" + operand(0) + " / " + operand(1) + ")";
    case NodeKind::matmul: return "(" + operand(0) + " @ " + operand(1) + ")";
    case NodeKind::power: return "(" + operand(0) + " ** " + operand(1) + ")";
    case NodeKind::call: {
      std::string text(node.function->name);
      std::string separator = "(";
      for (const WrittenArgument& argument : node.arguments) {
        if (std::holds_alternative<None>(argument.value)) continue;
        if (const auto* const flag = std::get_if<bool>(&argument.value); flag != nullptr && !*flag) continue;
        text += separator + argument_text(node, argument);
        separator = ", ";
      }
      return text + ")";
    }
    case NodeKind::reversed: return call("T");
    case NodeKind::index: break;
  }
  std::string items;
  for (const IndexItem& item : node.items) items += (items.empty() ? "" : ", ") + item_text(item);
  return operand(0) + "[" + items + "]";
}

/// PyTorch accepts x[..., ...], at least if nothing follows; NumPy and warpwalk reject it.
bool ellipsis_twice(const std::variant<Expression, ExpressionError>& parsed) {
  const auto* const error = std::get_if<ExpressionError>(&parsed);
  return error != nullptr && error->message == "... appears twice in an index";
}

rapidjson::Document recorded() {
  std::ifstream file(WARPWALK_TEST_DATA "/expressions.json");
  std::stringstream text;
  text << file.rdbuf();
  rapidjson::Document json;
  json.Parse(text.str().c_str());
  return json;
}

std::vector<Variable> variables_of(const rapidjson::Value& list) {
  std::vector<Variable> variables;
  for (const auto& v : list.GetArray())
    variables.push_back({v[0].GetString(), *dtype_of(v[1].GetString()), sizes_of(v[2])});
  return variables;
}

std::string described(const std::variant<Variable, ExpressionError>& result) {
  if (const auto* const error = std::get_if<ExpressionError>(&result)) return "error: " + error->message;
  const auto& value = std::get<Variable>(result);
  return std::string(name_of(value.dtype)) + " " + shape_text(value.sizes);
}

TEST(Expression, ReadsAsPythonAndChecksAsPyTorch) {
  const rapidjson::Document json = recorded();
  ASSERT_FALSE(json.HasParseError());
  ASSERT_EQ(json["cases"].Size(), 600u);
  std::size_t read = 0;
  for (const auto& c : json["cases"].GetArray()) {
    SCOPED_TRACE(c[0].GetString());
    const auto parsed = Expression::parse(c[0].GetString());
    if (ellipsis_twice(parsed)) continue;
    ++read;
    ASSERT_TRUE(std::holds_alternative<Expression>(parsed)) << std::get<ExpressionError>(parsed).text(c[0].GetString());
    const auto& expression = std::get<Expression>(parsed);
    std::string want_tree = c[2].GetString();
    // keepdim=False is the default.
    for (std::size_t at; (at = want_tree.find(", False)")) != std::string::npos;) want_tree.erase(at, 7);
    EXPECT_EQ(tree_text(expression.root()), want_tree);
    const auto result = check(expression, variables_of(c[1]));
    const rapidjson::Value& want = c[3];
    if (want.IsNull()) {
      EXPECT_TRUE(std::holds_alternative<ExpressionError>(result)) << described(result);
    } else {
      EXPECT_EQ(described(result), std::string(want[0].GetString()) + " " + shape_text(sizes_of(want[1])));
    }
  }
  EXPECT_GT(read, 590u);
}

/// The input that expression_cases.py uses for variable number `variable`.
Tensor input(Memory& memory, const Variable& description, std::int64_t variable) {
  std::vector<std::uint8_t> bytes;
  for (std::int64_t k = 0; k < count_of(description.sizes); ++k) {
    const std::int64_t whole = (7 * k + 3 * variable) % 11 - 5;
    const std::uint64_t bits = is_float(description.dtype)
                                   ? float_bits(description.dtype, static_cast<double>(whole) / 4)
                                   : static_cast<std::uint64_t>(whole);
    for (std::size_t b = 0; b < bytes_of(description.dtype); ++b)
      bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * b)));
  }
  return tensor_from(memory, description.dtype, description.sizes, bytes);
}

double number_of(const rapidjson::Value& value) {
  if (value.IsNumber()) return value.GetDouble();
  const std::string text = value.GetString();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return text == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

TEST(Expression, ComputesWhatPyTorchDoes) {
  const rapidjson::Document json = recorded();
  std::size_t compared = 0;
  for (const auto& c : json["cases"].GetArray()) {
    const auto parsed = Expression::parse(c[0].GetString());
    if (c[3].IsNull() || ellipsis_twice(parsed)) continue;
    SCOPED_TRACE(c[0].GetString());
    CpuMemory memory(nullptr);
    Dispatcher dispatcher;
    register_library(dispatcher);
    register_cpu(dispatcher);
    register_autograd(dispatcher);
    dispatcher.set_memory(memory);
    const auto expression = std::get<Expression>(parsed);
    const std::vector<Variable> variables = variables_of(c[1]);
    std::vector<Tensor> tensors;
    for (const std::string& name : expression.names()) {
      const auto variable = std::ranges::find(variables, name, &Variable::name);
      ASSERT_NE(variable, variables.end());
      tensors.push_back(input(memory, *variable, variable - variables.begin()));
    }
    const Tensor result = evaluate(expression, dispatcher, tensors);
    EXPECT_EQ(name_of(result.dtype()), c[3][0].GetString());
    EXPECT_EQ(result.sizes(), sizes_of(c[3][1]));
    if (c[3].Size() < 3) continue;
    ++compared;
    const std::vector<double> values = values_of(result);
    ASSERT_EQ(values.size(), c[3][2].Size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double want = number_of(c[3][2][static_cast<rapidjson::SizeType>(i)]);
      // The inputs are small multiples of 1/4, so only exp, sqrt and / round: a few units in the last place.
      if (std::isfinite(want)) {
        EXPECT_NEAR(values[i], want, 1e-13 * std::max(std::abs(want), 1.0));
      } else {
        EXPECT_TRUE(std::isnan(want) ? std::isnan(values[i]) : values[i] == want) << values[i] << " for " << want;
      }
    }
  }
  EXPECT_GT(compared, 150u);
}

/// The ops that an expression calls, with their arguments.
std::vector<std::string> calls_of(const std::string& text) {
  class Log : public Observer {
   public:
    void op_begins(const Call& call) override {
      if (depth_++ > 0) return;
      std::string line(call.name());
      for (const Argument& argument : call.arguments) {
        if (const auto* const whole = std::get_if<std::int64_t>(&argument)) line += fmt::format(" {}", *whole);
        if (const auto* const real = std::get_if<double>(&argument)) line += fmt::format(" {:.1f}", *real);
        if (const auto* const truth = std::get_if<bool>(&argument)) line += *truth ? " True" : " False";
        if (const auto* const sizes = std::get_if<Sizes>(&argument)) line += " {" + shape_text(*sizes) + "}";
        if (const auto* const tensor = std::get_if<Tensor>(&argument)) line += " " + shape_text(tensor->sizes());
      }
      lines.push_back(line);
    }
    void op_ends(const Tensor&) override { --depth_; }
    std::vector<std::string> lines;

   private:
    int depth_ = 0;
  };
  Log log;
  CpuMemory memory(nullptr);
  Dispatcher dispatcher(&log);
  register_library(dispatcher);
  register_cpu(dispatcher);
  dispatcher.set_memory(memory);
  const Tensor a = input(memory, {"a", DType::f32, {4, 6}}, 0);
  evaluate(std::get<Expression>(Expression::parse(text)), dispatcher, {a});
  return log.lines;
}

using Lines = std::vector<std::string>;

TEST(Expression, CallsPyTorchsOps) {
  EXPECT_EQ(calls_of("relu(a @ a.T)"), (Lines{"aten::numpy_T 4x6", "aten::matmul 4x6 6x4", "aten::relu 4x4"}));
  EXPECT_EQ(calls_of("2 * a"), (Lines{"aten::mul.Tensor 4x6 2"}));
  EXPECT_EQ(calls_of("2.0 + a"), (Lines{"aten::add.Tensor 4x6 2.0"}));
  EXPECT_EQ(calls_of("2 - a"), (Lines{"aten::rsub.Scalar 4x6 2"}));
  EXPECT_EQ(calls_of("2 / a"), (Lines{"aten::reciprocal 4x6", "aten::mul.Tensor 4x6 2"}));
  EXPECT_EQ(calls_of("a - 2*3"), (Lines{"aten::sub.Tensor 4x6 6"}));
  EXPECT_EQ(calls_of("a / (1/2)"), (Lines{"aten::div.Tensor 4x6 0.5"}));
  EXPECT_EQ(calls_of("-a.t()"), (Lines{"aten::t 4x6", "aten::neg 6x4"}));
  EXPECT_EQ(calls_of("+a"), Lines{});
  EXPECT_EQ(calls_of("a[1:3, 0]"), (Lines{"aten::slice.Tensor 4x6 0 1 3 1", "aten::select.int 2x6 1 0"}));
  EXPECT_EQ(calls_of("a[..., ::2]"), (Lines{"aten::slice.Tensor 4x6 1 0 9223372036854775807 2"}));
  EXPECT_EQ(calls_of("a[-1, None]"), (Lines{"aten::select.int 4x6 0 -1", "aten::unsqueeze 6 0"}));
  EXPECT_EQ(calls_of("sum(a)"), (Lines{"aten::sum 4x6"}));
  EXPECT_EQ(calls_of("a.sum(-1, keepdim=True)"), (Lines{"aten::sum.dim_IntList 4x6 {-1} True"}));
  EXPECT_EQ(calls_of("torch.exp(a) + torch.sqrt(a)"),
            (Lines{"aten::exp 4x6", "aten::sqrt 4x6", "aten::add.Tensor 4x6 4x6"}));
}

TEST(Expression, CallsWhatPyTorchsProfilerSaw) {
  const rapidjson::Document json = recorded();
  ASSERT_EQ(json["calls"].Size(), 28u);
  for (const auto& c : json["calls"].GetArray()) {
    Lines want, got;
    for (const auto& call : c[1].GetArray()) {
      const std::string name = call[0].GetString();
      if (name == "aten::positive") continue;  // returns its argument; not in the library
      want.push_back(name + " " + shape_text(sizes_of(call[1])));
    }
    for (const std::string& line : calls_of(c[0].GetString())) {
      // The profiler omits the overload name, as in aten::add.Tensor.
      const std::string name = line.substr(0, line.find_first_of(". "));
      const std::size_t first = line.find(' ') + 1;
      got.push_back(name + " " + line.substr(first, line.find(' ', first) - first));
    }
    EXPECT_EQ(got, want) << c[0].GetString();
  }
}

TEST(Expression, PowersBindAsInPython) {
  const auto tree = [](std::string_view text) {
    return tree_text(std::get<Expression>(Expression::parse(text)).root());
  };
  EXPECT_EQ(tree("-a ** 2"), "(-(a ** 2))");
  EXPECT_EQ(tree("a ** -b ** 2"), "(a ** (-(b ** 2)))");
  EXPECT_EQ(tree("a ** b ** c"), "(a ** (b ** c))");
  EXPECT_EQ(tree("2 * a.T[0] ** 2 @ b"), "((2 * (T(a)[0] ** 2)) @ b)");
  EXPECT_EQ(calls_of("2 ** a"), (Lines{"aten::pow.Scalar 2 4x6"}));
  EXPECT_EQ(calls_of("a ** 2 ** 3"), (Lines{"aten::pow.Tensor_Scalar 4x6 8"}));
  EXPECT_EQ(calls_of("a ** 2 ** -1"), (Lines{"aten::pow.Tensor_Scalar 4x6 0.5"}));
}

TEST(Expression, FIsAModuleBeforeItsFunctionsAndElseATensor) {
  const auto names = [](std::string_view text) { return std::get<Expression>(Expression::parse(text)).names(); };
  EXPECT_EQ(names("F.relu(a)"), (std::vector<std::string>{"a"}));
  EXPECT_EQ(names("torch.nn.functional.softmax(a, dim=-1)"), (std::vector<std::string>{"a"}));
  EXPECT_EQ(names("F.relu()"), (std::vector<std::string>{"F"}));
  EXPECT_EQ(names("F.sum(0) + F.T"), (std::vector<std::string>{"F"}));
}

TEST(Expression, NamesInTheOrderOfTheirUse) {
  const auto expression = std::get<Expression>(Expression::parse("relu(w @ x + b) * x[0] - a1"));
  EXPECT_EQ(expression.names(), (std::vector<std::string>{"w", "x", "b", "a1"}));
  EXPECT_EQ(expression.text(), "relu(w @ x + b) * x[0] - a1");
}

TEST(Expression, TheLargestTensorMadeMayBeOnTheWay) {
  const auto largest = [](std::string_view text) {
    return largest_made(std::get<Expression>(Expression::parse(text)),
                        {{"a", DType::f32, {100, 20}}, {"h", DType::f16, {50}}});
  };
  EXPECT_EQ(largest("sum(a @ a.T)").elements, 10000);
  EXPECT_EQ(largest("sum(a @ a.T)").bytes, 40000);
  EXPECT_EQ(largest("h[:, None] * h").bytes, 5000);
  EXPECT_EQ(largest("a[1:].T").elements, 0) << "views alone";
}

}  // namespace
}  // namespace warpwalk::ops
