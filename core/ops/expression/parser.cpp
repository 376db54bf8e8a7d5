#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ops/expression/parsing.h"

namespace warpwalk::ops {
namespace {

using Kind = ExpressionNode::Kind;
using NodePtr = std::shared_ptr<const ExpressionNode>;

struct BinaryOperator {
  std::string_view symbol;
  Kind kind;
};
constexpr std::array<BinaryOperator, 2> sums = {{{"+", Kind::add}, {"-", Kind::subtract}}};
constexpr std::array<BinaryOperator, 3> products = {{{"*", Kind::multiply}, {"/", Kind::divide}, {"@", Kind::matmul}}};

/// Operators of Python that an expression does not have, and what to write.
struct NoOperator {
  std::string_view symbol, message, hint;
};
constexpr std::array<NoOperator, 11> no_operators = {{
    {"^", "^ is not supported here", "write a ** 2 for a square, a.T for the transpose"},
    {"//", "// (division rounded down) is not supported here", "write / for a division"},
    {"%", "% (remainder) is not supported here", "use + - * / @ **"},
    {"@@", "@ appears twice", "write one @ for the matrix product: a @ b"},
    {"=", "= assigns a name to a value, but an expression is only the value", "leave out the name and the ="},
    {"==", "comparisons are not supported here", "use + - * / @ **"},
    {"<", "comparisons are not supported here", "relu(a) keeps the values greater than 0"},
    {">", "comparisons are not supported here", "relu(a) keeps the values greater than 0"},
    {"->", "-> is not allowed here", "use + - * / @ **"},
    {",", "a comma can only separate function arguments and indices", "write one expression without the comma"},
    {":", "a slice belongs in brackets after a tensor", "write a[1:3]"},
}};

/// Recursive descent over Python's grammar: sums of products of signed values with .name, (...) and [...] behind them.
class Parser {
 public:
  explicit Parser(const std::vector<Token>& tokens) : tokens_(tokens) {}

  NodePtr all() {
    if (next().kind == Token::Kind::end) fail({0, 1}, "the expression is empty", "write one: relu(a @ b)");
    NodePtr root = sum();
    if (next().kind != Token::Kind::end) unexpected(nullptr);
    return root;
  }

 private:
  /// Counts brackets and signs that are open, so that no text can exhaust the stack.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.levels_ > max_nesting) too_deep(parser_.next().place);
    }
    ~Level() { --parser_.levels_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  [[noreturn]] static void too_deep(Place place) {
    fail(place, fmt::format("more than {} operations or brackets are nested", max_nesting), "compute part of it first");
  }

  const Token& next() const { return tokens_[at_]; }
  bool at(std::string_view symbol) const { return next().kind == Token::Kind::symbol && next().text == symbol; }
  bool take(std::string_view symbol) {
    if (!at(symbol)) return false;
    ++at_;
    return true;
  }
  /// From the beginning of one node to the token before the next.
  Place whole_from(std::size_t begin) const {
    const Place last = tokens_[at_ - 1].place;
    return {begin, last.position + last.length - begin};
  }

  NodePtr made(ExpressionNode node) const {
    for (const NodePtr& operand : node.operands) node.height = std::max(node.height, operand->height + 1);
    if (node.height > max_nesting) too_deep(node.place);
    return std::make_shared<const ExpressionNode>(std::move(node));
  }

  template <std::size_t N>
  const BinaryOperator* taken(const std::array<BinaryOperator, N>& operators) {
    for (const BinaryOperator& op : operators)
      if (take(op.symbol)) return &op;
    return nullptr;
  }

  /// Operators of one precedence, from left to right.
  template <std::size_t N>
  NodePtr chain(const std::array<BinaryOperator, N>& operators, NodePtr (Parser::*operand)()) {
    NodePtr left = (this->*operand)();
    while (const BinaryOperator* const op = taken(operators)) {
      const Place place = tokens_[at_ - 1].place;
      NodePtr right = (this->*operand)();
      const std::size_t begin = left->whole.position;
      left = made({.kind = op->kind, .place = place, .whole = whole_from(begin), .operands = {left, right}});
    }
    return left;
  }
  NodePtr sum() { return chain(sums, &Parser::product); }
  NodePtr product() { return chain(products, &Parser::sign); }

  NodePtr sign() {
    const Place place = next().place;
    const bool negative = at("-");
    if (!negative && !at("+")) return power();
    const Level level(*this);
    ++at_;
    NodePtr operand = sign();
    return made({.kind = negative ? Kind::negative : Kind::positive,
                 .place = place,
                 .whole = whole_from(place.position),
                 .operands = {std::move(operand)}});
  }

  /// Binds tighter than a sign on its left, and less than one on its right: -a ** -b is -(a ** (-b)). From the right.
  NodePtr power() {
    NodePtr base = postfix();
    if (!at("**")) return base;
    const Level level(*this);
    const Place place = next().place;
    ++at_;
    NodePtr exponent = sign();
    const std::size_t begin = base->whole.position;
    return made({.kind = Kind::power,
                 .place = place,
                 .whole = whole_from(begin),
                 .operands = {std::move(base), std::move(exponent)}});
  }

  NodePtr postfix() {
    NodePtr value = atom();
    while (true) {
      if (take("."))
        value = method(value);
      else if (at("["))
        value = index(value);
      else
        return value;
    }
  }

  NodePtr atom() {
    const Token& token = next();
    if (token.kind == Token::Kind::text)
      fail(token.place, fmt::format("'{}' is a string, not a value to compute with", token.text),
           "strings can only be function arguments: gelu(a, approximate='tanh')");
    if (token.kind == Token::Kind::number) {
      ++at_;
      return made({.kind = Kind::number, .place = token.place, .whole = token.place, .number = token.number});
    }
    if (token.kind == Token::Kind::name) return named();
    if (at("(")) {
      const Level level(*this);
      ++at_;
      if (at(")")) fail({token.place.position, 2}, "the brackets are empty", "write an expression between them");
      NodePtr inside = sum();
      if (!take(")")) unexpected(&token);
      // The brackets belong to its text: (a + b).T is marked whole.
      ExpressionNode with_brackets = *inside;
      with_brackets.whole = whole_from(token.place.position);
      return made(std::move(with_brackets));
    }
    no_value();
  }

  NodePtr named() {
    const Token& token = next();
    if (is_keyword(token.text)) keyword(token);
    ++at_;
    if (token.text == "None" || token.text == "True" || token.text == "False")
      fail(token.place, fmt::format("{} is not a value to compute with", token.text),
           token.text == "None" ? "use None in an index: a[:, None]" : "use it as an argument of sum: sum(a, 0, True)");
    if (at(".") && (token.text == "torch" || token.text == "F"))
      if (const Token* const function = qualified(token)) return call(*function, {}, token.place.position);
    if (at("(")) {
      if (find_function(token.text) == nullptr) no_function(token);
      return call(token, {}, token.place.position);
    }
    return made({.kind = Kind::name, .place = token.place, .whole = token.place, .name = std::string(token.text)});
  }

  /// Behind "torch" or "F": the function of torch., torch.nn.functional. or F. that is called, and its token is taken.
  /// Null behind an F that is a tensor.
  const Token* qualified(const Token& module) {
    const auto word = [&](std::size_t ahead) -> const Token& {
      return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    };
    const ExpressionFunction* const function = find_function(word(1).text);
    if (module.text == "F") {
      const bool called = function != nullptr && function->functional && word(2).text == "(" && word(3).text != ")";
      if (!called) return nullptr;
      at_ += 2;
      return &tokens_[at_ - 1];
    }
    ++at_;
    if (next().text == "nn" && word(1).text == "." && word(2).text == "functional" && word(3).text == ".") {
      at_ += 4;
      const ExpressionFunction* const inner = find_function(next().text);
      if (inner != nullptr && !inner->functional)
        fail(next().place, fmt::format("torch.nn.functional has no {}", next().text),
             fmt::format("write torch.{}(a)", next().text));
    }
    const Token& name = next();
    if (name.kind != Token::Kind::name) fail(name.place, "a function name must follow torch.", "write torch.relu(a)");
    ++at_;
    if (find_function(name.text) == nullptr || !at("(")) no_function(name);
    return &name;
  }

  [[noreturn]] static void keyword(const Token& token) {
    fail(token.place, fmt::format("{} is a Python keyword that expressions do not support", token.text),
         "use names, numbers, + - * / @ **, functions and indices");
  }

  /// Parses what follows a dot.
  NodePtr method(const NodePtr& value) {
    const Token& token = next();
    if (token.kind != Token::Kind::name)
      fail(token.place, "a name must follow the dot", "a.T is the transpose, a.sum(0) is a sum");
    ++at_;
    if (token.text == "T") {
      if (at("(")) fail(token.place, "T is not a function", "leave out the brackets: a.T");
      return made({.kind = Kind::reversed,
                   .place = token.place,
                   .whole = whole_from(value->whole.position),
                   .operands = {value}});
    }
    if (find_function(token.text) == nullptr || !at("(")) no_function(token);
    return call(token, value, value->whole.position);
  }

  [[noreturn]] void no_function(const Token& token) const {
    if (find_function(token.text) != nullptr)
      fail(token.place, fmt::format("{} is a function: its brackets are missing", token.text),
           fmt::format("write {0}(a) or a.{0}()", token.text));
    fail(token.place, fmt::format("there is no function called {}", token.text.substr(0, 60)), instead_of(token.text));
  }

  /// At the opening bracket. `value`: what a method is called on, or null.
  NodePtr call(const Token& name, NodePtr value, std::size_t begin) {
    const Level level(*this);
    const Token& open = next();
    ++at_;
    ExpressionNode node{.kind = Kind::call, .place = name.place, .function = find_function(name.text)};
    node.arguments.resize(node.function->parameters.size());
    std::vector<bool> given(node.arguments.size());
    std::size_t position = 0;
    if (value != nullptr) {
      node.arguments[0] = {WrittenArgument::Operand{0}, value->whole};
      node.operands.push_back(std::move(value));
      given[position++] = true;
    }
    while (!at(")")) {
      argument(node, given, position);
      if (!at(")") && !take(",")) unexpected(&open);
    }
    ++at_;
    require_all(node, given);
    node.whole = whole_from(begin);
    return made(std::move(node));
  }

  static std::string usage(const ExpressionFunction& function) { return fmt::format("write {}", function.usage); }

  void require_all(const ExpressionNode& node, const std::vector<bool>& given) const {
    const ExpressionFunction& function = *node.function;
    if (!given[0]) fail(node.place, fmt::format("{}() needs an argument", function.name), usage(function));
    for (std::size_t i = 1; i < given.size(); ++i)
      if (function.parameters[i].required && !given[i])
        fail(node.place, fmt::format("{} needs {}", function.name, function.parameters[i].name), usage(function));
  }

  /// The next argument, by name or by position.
  void argument(ExpressionNode& node, std::vector<bool>& given, std::size_t& position) {
    const ExpressionFunction& function = *node.function;
    const Token& first = next();
    std::size_t number = position;
    const bool by_name =
        first.kind == Token::Kind::name && tokens_[at_ + 1].kind == Token::Kind::symbol && tokens_[at_ + 1].text == "=";
    if (by_name) {
      number = static_cast<std::size_t>(std::ranges::find(function.parameters, first.text, &Parameter::name) -
                                        function.parameters.begin());
      if (number == given.size())
        fail(first.place, fmt::format("{} has no argument called {}", function.name, first.text.substr(0, 60)),
             usage(function));
      at_ += 2;
    } else if (number >= given.size()) {
      too_many_arguments(function, first);
    } else {
      ++position;
    }
    const Parameter& parameter = function.parameters[number];
    WrittenArgument written = value_of(node, parameter);
    if (by_name && parameter.kind == Parameter::Kind::flag) written.place = first.place;
    if (given[number]) fail(written.place, fmt::format("{} is given twice", parameter.name), "give it once");
    given[number] = true;
    node.arguments[number] = std::move(written);
  }

  [[noreturn]] static void too_many_arguments(const ExpressionFunction& function, const Token& at) {
    static constexpr std::array<std::string_view, 7> words = {"no", "one", "two", "three", "four", "five", "six"};
    const std::size_t limit = function.parameters.size();
    fail(at.place,
         limit == 1
             ? fmt::format("{} takes one tensor and nothing else", function.name)
             : fmt::format("{} takes at most {} arguments", function.name, words[std::min(limit, words.size() - 1)]),
         usage(function));
  }

  WrittenArgument value_of(ExpressionNode& node, const Parameter& parameter) {
    using Wanted = Parameter::Kind;
    const Token& first = next();
    const std::size_t begin = first.place.position;
    const bool none = first.kind == Token::Kind::name && first.text == "None";
    if (none && !parameter.required && parameter.kind != Wanted::tensor && parameter.kind != Wanted::tensor_or_number) {
      ++at_;
      return {None{}, first.place};
    }
    switch (parameter.kind) {
      case Wanted::tensor:
      case Wanted::tensor_or_none:
      case Wanted::tensor_or_number: break;
      case Wanted::dims:
      case Wanted::sizes: return {whole_numbers(parameter), whole_from(begin)};
      case Wanted::dim: return {whole_number(*sum(), "a dimension"), whole_from(begin)};
      case Wanted::number: {
        const NodePtr written = sum();
        const Number number = constant(*written, parameter.name);
        return {as_double(number), written->whole};
      }
      case Wanted::flag:
        if (first.kind != Token::Kind::name || (first.text != "True" && first.text != "False"))
          fail(first.place, fmt::format("{} must be True or False", parameter.name),
               fmt::format("write {}", flag_usage(*node.function)));
        ++at_;
        return {first.text == "True", first.place};
      case Wanted::text:
        if (first.kind != Token::Kind::text || std::ranges::find(parameter.texts, first.text) == parameter.texts.end())
          fail(first.place, fmt::format("{} must be '{}'", parameter.name, fmt::join(parameter.texts, "' or '")),
               usage(*node.function));
        ++at_;
        return {std::string(first.text), first.place};
    }
    NodePtr operand = sum();
    const Place place = operand->whole;
    node.operands.push_back(std::move(operand));
    return {WrittenArgument::Operand{node.operands.size() - 1}, place};
  }

  static std::string flag_usage(const ExpressionFunction& function) {
    return fmt::format("{}(a, 0, True)", function.name);
  }

  /// 4, (4, 5) or [4, 5]; of sizes only the last two.
  Sizes whole_numbers(const Parameter& parameter) {
    const bool dims = parameter.kind == Parameter::Kind::dims;
    const std::string_view what = dims ? "a dimension" : "a size";
    const Token& open = next();
    if (!at("(") && !at("[")) {
      if (dims) return {whole_number(*sum(), what)};
      fail(open.place, fmt::format("{} must be a list of sizes", parameter.name),
           "write [4], or [2, 4] for two dimensions");
    }
    const std::string_view close = at("(") ? ")" : "]";
    ++at_;
    Sizes numbers;
    bool comma = close == "]";
    while (!at(close)) {
      numbers.push_back(whole_number(*sum(), what));
      if (at(close)) break;
      if (!take(",")) unexpected(&open);
      comma = true;
    }
    ++at_;
    if (!comma && !dims)
      fail(whole_from(open.place.position),
           fmt::format("{} must be a list of sizes, but this is a number", parameter.name), "write [4]");
    return numbers;
  }

  NodePtr index(const NodePtr& value) {
    const Level level(*this);
    const Token& open = next();
    ++at_;
    ExpressionNode node{.kind = Kind::index, .place = open.place, .operands = {value}};
    while (!at("]")) {
      node.items.push_back(item(open));
      if (!at("]") && !take(",")) unexpected(&open);
    }
    ++at_;
    node.place = whole_from(open.place.position);
    if (node.items.empty()) fail(node.place, "the brackets are empty", "write a[0] or a[1:3]");
    if (std::ranges::count(node.items, IndexItem::Kind::ellipsis, &IndexItem::kind) > 1)
      fail(node.place, "... appears twice in an index", "write it once, for all dimensions that are not named");
    node.whole = whole_from(value->whole.position);
    return made(std::move(node));
  }

  IndexItem item(const Token& open) {
    const std::size_t begin = next().place.position;
    IndexItem item;
    if (take("...")) {
      item.kind = IndexItem::Kind::ellipsis;
    } else if (next().kind == Token::Kind::name && next().text == "None") {
      ++at_;
      item.kind = IndexItem::Kind::new_dim;
    } else {
      item.start = bound();
      if (take(":")) {
        item.stop = bound();
        if (take(":"))
          if (const auto step = bound()) item.step = *step;
        if (item.step < 1)
          fail(whole_from(begin), fmt::format("the step of a slice is {}", item.step), "the step must be 1 or more");
      } else {
        if (!item.start) unexpected(&open);
        item.kind = IndexItem::Kind::index;
        item.index = *std::exchange(item.start, std::nullopt);
      }
    }
    item.place = whole_from(begin);
    return item;
  }

  /// A number between the colons of a slice, if one is written.
  std::optional<std::int64_t> bound() {
    if (at(":") || at(",") || at("]") || next().kind == Token::Kind::end) return {};
    return whole_number(*sum(), "an index");
  }

  std::int64_t whole_number(const ExpressionNode& node, std::string_view what) const {
    const Number number = constant(node, what);
    if (const auto* const whole = std::get_if<std::int64_t>(&number)) return *whole;
    fail(node.whole, fmt::format("{} must be an integer, not {}", what, std::get<double>(number)),
         "leave out the decimal point");
  }

  Number constant(const ExpressionNode& node, std::string_view what) const {
    switch (node.kind) {
      case Kind::number: return node.number;
      case Kind::negative:
      case Kind::positive: return folded(node, constant(*node.operands[0], what));
      case Kind::add:
      case Kind::subtract:
      case Kind::multiply:
      case Kind::divide:
      case Kind::power:
      case Kind::matmul: {
        const Number left = constant(*node.operands[0], what);
        return folded(node, left, constant(*node.operands[1], what));
      }
      default:
        fail(node.whole, fmt::format("{} must be a number, not a tensor", what),
             "write it as a number, such as 0 or -1");
    }
  }

  /// Reports that a value is missing here.
  [[noreturn]] void no_value() const {
    const Token& token = next();
    const Token* const before = at_ == 0 ? nullptr : &tokens_[at_ - 1];
    if (token.kind == Token::Kind::end)
      fail(before->place, fmt::format("nothing follows {}", before->text),
           "put a name, a number or an expression in brackets after it");
    for (const NoOperator& op : no_operators)
      if (token.text == op.symbol) fail(token.place, std::string(op.message), std::string(op.hint));
    if (before == nullptr)
      fail(token.place, fmt::format("there is nothing before {}", token.text), "put a name or a number before it");
    if (token.text == "*" && before->text == "*")
      fail(token.place, "* appears twice", "write one * to multiply elements: a * b");
    fail(token.place, fmt::format("a value is missing between {} and {}", before->text, token.text),
         "put a name, a number or an expression in brackets there");
  }

  /// Reports a token after a value that is not an operator. `open`: the enclosing bracket, or null.
  [[noreturn]] void unexpected(const Token* open) const {
    const Token& token = next();
    if (token.kind == Token::Kind::end)
      fail(open->place, fmt::format("this {} is never closed", open->text),
           fmt::format("a {} is missing", open->text == "(" ? ")" : "]"));
    if (token.text == ")" || token.text == "]") {
      if (open == nullptr)
        fail(token.place, fmt::format("this {} closes nothing", token.text),
             fmt::format("leave it out, or put a {} before it", token.text == ")" ? "(" : "["));
      fail(token.place, fmt::format("{} cannot close the {} before it", token.text, open->text),
           fmt::format("write {}", open->text == "(" ? ")" : "]"));
    }
    for (const NoOperator& op : no_operators)
      if (token.text == op.symbol) fail(token.place, std::string(op.message), std::string(op.hint));
    if (is_keyword(token.text)) keyword(token);
    const bool value = token.kind != Token::Kind::symbol || token.text == "(" || token.text == "[";
    const Token& before = tokens_[at_ - 1];
    if (!value) fail(token.place, fmt::format("{} is not supported here", token.text), "use + - * / @ ** ( ) [ ]");
    if (before.kind == Token::Kind::name && find_function(before.text) != nullptr)
      fail(before.place, fmt::format("{} is a function: the brackets around its argument are missing", before.text),
           fmt::format("write {}({})", before.text,
                       token.kind == Token::Kind::symbol ? "..." : token.text.substr(0, 60)));
    fail(token.place,
         fmt::format("an operator is missing between {} and {}", before.text.substr(0, 60), token.text.substr(0, 60)),
         "* multiplies elements, @ multiplies matrices");
  }

  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  std::size_t levels_ = 0;
};

}  // namespace

std::shared_ptr<const ExpressionNode> parse_tokens(const std::vector<Token>& tokens) { return Parser(tokens).all(); }

}  // namespace warpwalk::ops
