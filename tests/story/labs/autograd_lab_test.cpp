// The lab of autograd against PyTorch's record of small graphs (record_autograd.py) and finite differences.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/records/hardware.h"
#include "core/story/labs/autograd/autograd.h"
#include "core/story/labs/autograd/tape.h"
#include "core/story/labs/autograd/tape_session.h"
#include "core/story/labs/labs.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view autograd_scene = "lab/autograd";

TapeProgram program_of(std::string_view expression) {
  auto made = tape_program(expression);
  if (auto* const program = std::get_if<TapeProgram>(&made)) return std::move(*program);
  const TapeFault& fault = std::get<TapeFault>(made);
  ADD_FAILURE() << expression << ": " << fault.key << " " << fault.error.message;
  return std::get<TapeProgram>(tape_program("a"));
}

Stage stage_with(std::int64_t beat, const Controls& controls) {
  const Trace& trace = sample("relu_matmul");
  return stage_at_beat(*find_scene(autograd_scene), trace, default_walk(trace), beat, 1, controls);
}

Controls autograd_settings(std::string expression,
                           std::initializer_list<std::pair<const char*, double>> settings = {}) {
  Controls controls;
  controls.set("lab/autograd.expression", Setting(std::move(expression)));
  for (const auto& [name, value] : settings) controls.set(fmt::format("{}.{}", autograd_scene, name), value);
  return controls;
}

// Expressions of the lab, with every node that it has a rule for.
constexpr std::string_view expressions[] = {"a",
                                            "a @ b",
                                            "relu(a @ b)",
                                            "(relu(a @ b) * c).sum()",
                                            "tanh(a @ b + c)",
                                            "a * b + a",
                                            "softmax(a, 1) * b",
                                            "-a / b",
                                            "2 - a",
                                            "3 / a",
                                            "sigmoid(a) * gelu(b)",
                                            "a.sum(0) * b",
                                            "a.mean() + b.mean(1)",
                                            "max(a) * b",
                                            "amax(a, 1) + maximum(a[:, 0], b[:, 1])",
                                            "(a * a) ** 2",
                                            "2 ** a",
                                            "sigmoid(a) ** b",
                                            "log_softmax(a, 0)",
                                            "linear(a, b, c)",
                                            "a.T @ b",
                                            "a.t() * b.T",
                                            "a[0] @ b[1]",
                                            "a @ b[0]",
                                            "layer_norm(a, [3], b[0], c[1])",
                                            "a[:, None, 0] * b",
                                            "relu(a - b)[0, 1:]"};

const rapidjson::Document& autograd_record() {
  static const rapidjson::Document document = [] {
    rapidjson::Document read;
    read.Parse(file_contents("tests/story/autograd.json").c_str());
    return read;
  }();
  return document;
}

std::vector<double> number_list(const rapidjson::Value& list) {
  std::vector<double> values;
  for (const auto& one : list.GetArray()) values.push_back(one.GetDouble());
  return values;
}

std::string text_or_none(const rapidjson::Value& value) { return value.IsString() ? value.GetString() : ""; }

// The record's inputs: element i of input k is ((7 i + 5 k) mod 19 - 9) / 10, or 0.5 where that is 0.
std::vector<TapeTensor> recorded_inputs(const TapeProgram& program) {
  std::vector<TapeTensor> inputs;
  for (std::size_t k = 0; k < program.inputs.size(); ++k) {
    TapeTensor tensor{program.inputs[k].sizes, {}};
    for (std::int64_t i = 0; i < ops::count_of(tensor.sizes); ++i) {
      const auto tenths = (7 * i + 5 * static_cast<std::int64_t>(k)) % 19 - 9;
      tensor.values.push_back(tenths == 0 ? 0.5 : static_cast<double>(tenths) / 10);
    }
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

// Tapes, saved tensors, versions and gradients, also after writes in place and after two rounds.
TEST(AutogradLab, TapesVersionsAndGradientsArePyTorchs) {
  int compared = 0, refused = 0;
  for (const auto& one : autograd_record()["cases"].GetArray()) {
    if (one["twice"].GetBool() && !one["retain"].GetBool()) continue;
    TapeProgram program = program_of(one["expression"].GetString());
    ASSERT_EQ(program.inputs.size(), one["inputs"].MemberCount());
    for (ops::Variable& input : program.inputs) {
      input.sizes.clear();
      for (const double size : number_list(one["inputs"][input.name.c_str()]))
        input.sizes.push_back(static_cast<std::int64_t>(size));
    }
    TapePlan plan;
    plan.values = recorded_inputs(program);
    plan.write = {text_or_none(one["write"]), one["no_grad"].GetBool()};
    plan.times = one["twice"].GetBool() ? 2 : 1;
    SCOPED_TRACE(fmt::format("{}, write {} {}", one["expression"].GetString(), plan.write.tensor, plan.write.no_grad));
    const Tape tape = run_tape(program, plan);
    ++compared;
    // The write makes a node of its own, which the record's tape, taken before it, does not have.
    if (plan.write.tensor.empty()) {
      ASSERT_EQ(tape.nodes.size(), one["tape"].Size());
      std::multiset<std::string> names, wanted;
      for (const TapeNode& node : tape.nodes) {
        std::string edges;
        for (const TapeEdge& edge : node.next)
          edges += edge.to ? " " + (tape.nodes[*edge.to].is_leaf() ? "torch::autograd::AccumulateGrad"
                                                                   : tape.nodes[*edge.to].name)
                           : " none";
        names.insert((node.is_leaf() ? "torch::autograd::AccumulateGrad" : node.name) + edges);
      }
      for (const auto& node : one["tape"].GetArray()) {
        std::string edges;
        for (const auto& edge : node[1].GetArray())
          edges += edge.IsString() ? std::string(" ") + edge.GetString() : std::string(" none");
        wanted.insert(node[0].GetString() + edges);
      }
      EXPECT_EQ(names, wanted);
      for (rapidjson::SizeType s = 0; s < one["saved"].Size(); ++s) {
        const auto node = tape.node_of(fmt::format("t{}", s));
        ASSERT_TRUE(node);
        std::set<std::string> ours, theirs;
        for (const TapeSaved& saved : tape.nodes[*node].saved) ours.insert(saved.argument);
        for (const auto& saved : one["saved"][s].GetArray()) theirs.insert(saved.GetString());
        EXPECT_EQ(ours, theirs) << tape.nodes[*node].name;
      }
    }
    EXPECT_EQ(tape.refused.empty(), one["error"].IsNull()) << tape.refused;
    if (!one["error"].IsNull()) {
      std::string wanted = one["error"].GetString();
      if (wanted.starts_with("a view of a leaf")) wanted.erase(2, 10);  // the record made its inputs with reshape()
      EXPECT_EQ(refusal_text(tape, plan.write), "RuntimeError: " + wanted);
      ++refused;
    }
    if (tape.refused_at_write) continue;
    for (const TapeVariable& variable : tape.variables)
      EXPECT_EQ(variable.version, one["versions"][variable.name.c_str()].GetUint()) << variable.name;
    for (const ops::Variable& input : program.inputs) {
      const auto& wanted = one["gradients"][input.name.c_str()];
      const auto& grad = tape.find(input.name)->grad;
      ASSERT_EQ(grad.has_value(), !wanted.IsNull()) << input.name;
      if (!grad) continue;
      const std::vector<double> values = number_list(wanted);
      ASSERT_EQ(grad->values.size(), values.size());
      for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(grad->values[i], values[i], 1e-12) << input.name;
    }
  }
  EXPECT_GT(compared, 90);
  EXPECT_GT(refused, 40);
}

// Checks every expression, with both first gradients.
TEST(AutogradLab, GradientsAreThoseOfFiniteDifferences) {
  for (const std::string_view expression : expressions)
    for (const bool one_element : {false, true}) {
      SCOPED_TRACE(expression);
      const TapeProgram program = program_of(expression);
      TapePlan plan;
      plan.one_element = one_element;
      const Tape tape = run_tape(program, plan);
      ASSERT_EQ(tape.refused, "");
      const std::vector<TapeTensor> differences = differences_of(program, tape.seed);
      for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        const auto& grad = tape.variables[i].grad;
        ASSERT_TRUE(grad);
        for (std::size_t e = 0; e < grad->values.size(); ++e) {
          if (std::isnan(grad->values[e])) continue;  // a root or a power of a negative number
          EXPECT_NEAR(grad->values[e], differences[i].values[e], 1e-6 * std::max(1.0, std::abs(grad->values[e])))
              << program.inputs[i].name << " " << e;
        }
      }
    }
}

// A node receives the sum of the gradients that were sent to it and runs after all senders; the leaves' sums are .grad.
TEST(AutogradLab, GradientsFlowAlongTheEdges) {
  for (const std::string_view expression : expressions) {
    SCOPED_TRACE(expression);
    const Tape tape = run_tape(program_of(expression), {});
    ASSERT_EQ(tape.order.size(), tape.nodes.size());
    for (std::size_t i = 0; i < tape.nodes.size(); ++i) {
      const TapeNode& node = tape.nodes[i];
      ASSERT_TRUE(node.turn && node.gradient) << node.name;
      std::vector<double> sum(node.gradient->values.size());
      if (tape.root == i) sum = tape.seed.values;
      for (const TapeNode& from : tape.nodes)
        for (const TapeEdge& edge : from.next) {
          if (edge.to != i) continue;
          EXPECT_LT(*from.turn, *node.turn);
          ASSERT_TRUE(edge.sent);
          ASSERT_EQ(edge.sent->sizes, node.forward.sizes);
          for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += edge.sent->values[e];
        }
      for (std::size_t e = 0; e < sum.size(); ++e) {
        if (std::isnan(sum[e])) continue;
        EXPECT_NEAR(node.gradient->values[e], sum[e], 1e-12);
      }
      if (node.is_leaf()) {
        EXPECT_EQ(node.gradient->values, tape.find(node.tensor)->grad->values);
      }
    }
  }
}

// The product of the node is the row vector times its Jacobian, and both agree with finite differences of the op.
TEST(AutogradLab, ProductsAreThoseOfTheJacobian) {
  int compared = 0;
  for (const std::string_view expression : expressions) {
    const TapeProgram program = program_of(expression);
    const Tape tape = run_tape(program, {});
    for (std::size_t n = 0; n < tape.nodes.size(); ++n)
      for (std::size_t e = 0; e < tape.nodes[n].next.size(); ++e) {
        if (!tape.nodes[n].next[e].to) continue;
        SCOPED_TRACE(fmt::format("{}, {} {}", expression, tape.nodes[n].name, e));
        TapeTensor gradient = tape.nodes[n].forward;
        for (std::size_t i = 0; i < gradient.values.size(); ++i)
          gradient.values[i] = 0.5 + 0.25 * static_cast<double>(i);
        const auto derivative = tape_derivative(program, {}, n, e, gradient);
        ASSERT_TRUE(derivative);
        EXPECT_FALSE(derivative->kink);
        ASSERT_EQ(derivative->jacobian.size(), gradient.values.size());
        for (std::size_t i = 0; i < derivative->by_autograd.values.size(); ++i) {
          double product = 0;
          for (std::size_t r = 0; r < gradient.values.size(); ++r)
            product += gradient.values[r] * derivative->jacobian[r][i];
          const double value = derivative->by_autograd.values[i];
          EXPECT_NEAR(product, value, 1e-9 * std::max(1.0, std::abs(value)));
          EXPECT_NEAR(derivative->by_differences.values[i], value, 1e-6 * std::max(1.0, std::abs(value)));
          ++compared;
        }
      }
  }
  EXPECT_GT(compared, 300);
}

// A kink: relu at exactly 0.
TEST(AutogradLab, AKinkIsNoticed) {
  const TapeProgram program = program_of("relu(a - a)");
  const Tape tape = run_tape(program, {});
  const std::size_t relu = tape.node_of("t1").value();
  const auto derivative = tape_derivative(program, {}, relu, 0, tape.seed);
  ASSERT_TRUE(derivative);
  EXPECT_TRUE(derivative->kink);
  EXPECT_EQ(derivative->by_autograd.values, std::vector<double>(6, 0.0)) << "PyTorch takes the slope 0";
}

// Rules that are expressions themselves give the product, evaluated by the op library.
TEST(AutogradLab, RulesInPyTorchsNotationGiveTheProduct) {
  std::set<std::string> checked;
  for (const std::string_view expression : expressions) {
    const TapeProgram program = program_of(expression);
    const Tape tape = run_tape(program, {});
    for (std::size_t n = 0; n < tape.nodes.size(); ++n)
      for (std::size_t e = 0; e < tape.nodes[n].next.size(); ++e) {
        const TapeNode& node = tape.nodes[n];
        const TapeEdge& edge = node.next[e];
        if (!edge.to) continue;
        const std::string key = fmt::format("{}.{}", node.name, edge.argument);
        ASSERT_TRUE(english().has("lab/autograd.rule", key)) << key;
        auto parsed = ops::Expression::parse(english().text("lab/autograd.rule", key));
        if (!std::holds_alternative<ops::Expression>(parsed) || edge.summed) continue;
        // G, the arguments and the result by name.
        TapeProgram rule{std::get<ops::Expression>(parsed), {}};
        std::vector<TapeTensor> values;
        TapeSession session(program);
        session.make_leaves({});
        session.forward(false);
        const auto op = std::ranges::find(session.ops(), node.tensor, &TapeOp::tensor);
        const std::vector<std::string> names = argument_names(ops::find_definition(op->op)->schema);
        bool known = true;
        for (const std::string& name : rule.expression.names()) {
          TapeTensor value;
          const auto at = std::ranges::find(names, name);
          if (name == "G")
            value = *node.gradient;
          else if (name == "result")
            value = node.forward;
          else if (const auto i = static_cast<std::size_t>(at - names.begin());
                   at != names.end() && std::holds_alternative<ops::Tensor>(op->arguments[i]))
            value = TapeSession::read(std::get<ops::Tensor>(op->arguments[i]));
          else if (at != names.end() && std::holds_alternative<std::int64_t>(op->arguments[i]))
            value = {{}, {static_cast<double>(std::get<std::int64_t>(op->arguments[i]))}};
          else
            known = false;
          rule.inputs.push_back({name, ops::DType::f64, value.sizes});
          values.push_back(std::move(value));
        }
        ASSERT_TRUE(known) << key;
        TapeSession evaluated(rule);
        evaluated.make_leaves({}, values);
        const TapeTensor result = TapeSession::read(evaluated.forward(true));
        SCOPED_TRACE(fmt::format("{} in {}", key, expression));
        ASSERT_EQ(result.sizes, edge.sent->sizes);
        for (std::size_t i = 0; i < result.values.size(); ++i)
          if (!std::isnan(result.values[i])) {
            EXPECT_NEAR(result.values[i], edge.sent->values[i], 1e-12);
          }
        checked.insert(key);
      }
  }
  for (const char* key : {"MmBackward0.self", "MmBackward0.mat2", "MulBackward0.other", "DivBackward0.other",
                          "TanhBackward0.self", "SigmoidBackward0.self", "ReciprocalBackward0.self",
                          "PowBackward0.self", "AddmmBackward0.mat1", "DotBackward0.self", "RsubBackward1.self"})
    EXPECT_TRUE(checked.contains(key)) << key;
}

// Every derivative of the library that an expression can reach has a rule for each of its arguments.
TEST(AutogradLab, EveryDerivativeHasItsRules) {
  for (const ops::OpDefinition& op : ops::all_definitions()) {
    if (!op.derivative || op.derivative->kind == ops::Derivative::Kind::in_place) continue;
    const std::string node(op.derivative->node);
    if (node.find("BackwardBackward") != std::string::npos) continue;  // of a second way back
    const std::vector<std::string> names = argument_names(op.schema);
    for (const std::size_t input : op.derivative->inputs) {
      ASSERT_LT(input, names.size()) << op.schema;
      EXPECT_TRUE(english().has("lab/autograd.rule", fmt::format("{}.{}", node, names[input])))
          << node << "." << names[input];
    }
  }
}

TEST(AutogradLab, RoundsAddUpAndWhatIsFrozenIsLeftOut) {
  const TapeProgram program = program_of("relu(a @ b)");
  const Tape once = run_tape(program, {});
  TapePlan plan;
  plan.times = 3;
  const Tape thrice = run_tape(program, plan);
  for (std::size_t i = 0; i < once.find("a")->grad->values.size(); ++i)
    EXPECT_NEAR(thrice.find("a")->grad->values[i], 3 * once.find("a")->grad->values[i], 1e-12);
  plan = {};
  plan.frozen = "b";
  const Tape frozen = run_tape(program, plan);
  EXPECT_FALSE(frozen.find("b")->grad);
  EXPECT_FALSE(frozen.find("b")->requires_grad);
  ASSERT_TRUE(frozen.node_of("t0"));
  // Only mat2 is needed for the gradient of self.
  const TapeNode& mm = frozen.nodes[*frozen.node_of("t0")];
  ASSERT_EQ(mm.saved.size(), 1u);
  EXPECT_EQ(mm.saved[0].argument, "mat2");
  EXPECT_FALSE(mm.next[1].to);
  plan = {};
  plan.no_grad = true;
  const Tape off = run_tape(program, plan);
  EXPECT_FALSE(off.root);
  for (const TapeVariable& variable : off.variables) EXPECT_FALSE(variable.grad);
  EXPECT_EQ("RuntimeError: " + std::string(autograd_record()["texts"]["no_graph"].GetString()), refusal_text(off, {}));
}

// Anything typed gives a stage with a picture; a fault is described with its place.
TEST(AutogradLab, AnyTextGivesAPicture) {
  std::mt19937 random(11);
  constexpr std::string_view parts[] = {"a",       "b",      "relu(", ")",  " @ ", " + ",      "*",  "[0]",
                                        "[:, 1:]", ".sum()", "2",     ".T", ",",   "softmax(", "**", "0.5",
                                        "-",       "(",      "größe", "e",  "f",   "1e400"};
  int played = 0, refused = 0;
  for (int round = 0; round < 1200; ++round) {
    std::string text;
    for (unsigned left = 1 + random() % 9; left > 0; --left) text += parts[random() % std::size(parts)];
    if (text.size() > autograd_text.max_bytes) continue;
    const Stage stage = stage_with(1 + round % 7, autograd_settings(text));
    SCOPED_TRACE(text);
    EXPECT_FALSE(std::holds_alternative<std::monostate>(stage.picture));
    const std::string words = everything_on(stage);
    EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr("(no ")));
    const bool fault = std::holds_alternative<TapeFault>(tape_program(text));
    ++(fault ? refused : played);
    if (!fault) continue;
    const Control& control = *std::ranges::find(stage.controls, "expression", &Control::name);
    EXPECT_GT(control.fault_bytes, 0u);
    EXPECT_LE(control.fault, text.size());
  }
  EXPECT_GT(played, 30);
  EXPECT_GT(refused, 100);
}

TEST(AutogradLab, FaultsNameTheirReason) {
  const auto title = [](const char* text) { return stage_with(1, autograd_settings(text)).title; };
  EXPECT_EQ(title("relu(a"), "This expression cannot be read");
  EXPECT_EQ(title("a + b + c + d + e"), "Too many names");
  EXPECT_EQ(title("a[:, None, :] * b[None, :, :]"), "A tensor is too large to show");
  EXPECT_EQ(title("a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a"), "The tape is too long to show");
  EXPECT_EQ(title(""), "This expression cannot be read");
  EXPECT_EQ(title("relu(a @ b)"), "relu(a @ b): 4 nodes on the tape");
}

TEST(AutogradLab, TasksAreDoneByTheirSettings) {
  EXPECT_EQ(tasks_done(autograd_scene, {{"seed", 1}, {"step", 4}})[0], 'x');
  EXPECT_EQ(tasks_done(autograd_scene, {{"rounds", 2}})[1], 'x');
  EXPECT_EQ(tasks_done(autograd_scene, {{"frozen", 1}})[2], 'x');
  EXPECT_EQ(tasks_done(autograd_scene, {{"write", 4}})[3], 'x');
  EXPECT_EQ(tasks_done(autograd_scene, {{"write", 3}})[4], 'x');
  EXPECT_EQ(tasks_done(autograd_scene, {{"example", 3}})[5], 'x');
  EXPECT_EQ(tasks_done(autograd_scene, {}), "------");
}

}  // namespace
}  // namespace warpwalk::story::testing
