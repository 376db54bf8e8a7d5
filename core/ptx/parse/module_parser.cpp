#include "core/ptx/parse/module_parser.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/ptx/parse/body.h"
#include "core/ptx/parse/expression.h"
#include "core/ptx/parse/lexer.h"
#include "core/ptx/parse/parser.h"
#include "core/ptx/parse/source_lines.h"

namespace warpwalk::ptx {
namespace {

constexpr std::uint64_t max_u32 = std::numeric_limits<std::uint32_t>::max();

/// "256, 1, 1"; omitted extents are 1.
std::array<std::uint32_t, 3> parse_extents(Lexer& in) {
  std::array<std::uint32_t, 3> extents{1, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    extents[i] = static_cast<std::uint32_t>(parse_count(in, max_u32, "a number of threads or blocks"));
    if (i < 2 && !in.accept(",")) break;
  }
  return extents;
}

bool same_sizes(const std::vector<Parameter>& a, const std::vector<Parameter>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].bytes != b[i].bytes) return false;
  return true;
}

}  // namespace

Module ModuleParser::parse() {
  header();
  while (!in_.at(TokenKind::end)) item();
  if (!aliases_.empty()) resolve_aliases();
  resolve_called_files(state_);
  require_usable_kernel();
  return std::move(state_.module);
}

void ModuleParser::header() {
  in_.expect(".version", "at the beginning of a module");
  state_.module.version = in_.expect(TokenKind::number, "a PTX version such as 9.0").text;
  in_.expect(".target", "after the version");
  state_.module.target = in_.expect(TokenKind::word, "a target such as sm_90").text;
  while (in_.accept(",")) in_.expect(TokenKind::word, "another target option");
  if (!in_.accept(".address_size")) return;
  const Token size = in_.expect(TokenKind::number, "an address size");
  if (size.text != "64") fail(size, "the address size must be 64: CUDA 13 does not support any other");
}

ModuleParser::Linkage ModuleParser::linkage() {
  Linkage linkage;
  for (;;) {
    if (in_.accept(".extern"))
      linkage.is_extern = true;
    else if (in_.accept(".weak") || in_.accept(".common"))
      linkage.replaceable = true;
    else if (!in_.accept(".visible"))
      return linkage;
  }
}

void ModuleParser::item() {
  const Linkage linked = linkage();
  const Token token = in_.peek();
  if (token.kind != TokenKind::directive) fail(token, "expected a directive such as .entry, .func or .global");
  in_.next();
  if (token.is(".global")) return variables(Space::global, linked);
  if (token.is(".const")) return variables(Space::constant, linked);
  if (token.is(".shared")) return variables(Space::shared, linked);
  if (token.is(".entry")) return function(true);
  if (token.is(".func")) return function(false);
  if (token.is(".alias")) return alias();
  if (token.is(".file")) return parse_file(state_);
  if (token.is(".section")) return skip_section(state_);
  if (token.is(".pragma")) {
    in_.expect(TokenKind::string, "a pragma in quotes");
    in_.expect(";", "after a pragma");
    return;
  }
  fail(token, "this directive is not allowed here");
}

void ModuleParser::variables(Space space, Linkage linked) {
  std::vector<Variable>& all = state_.module.variables;
  for (DeclaredVariable& declared : parse_variables(state_, space, linked.is_extern)) {
    const Token name = declared.name;
    const auto symbol = state_.names.find(name.text);
    if (!symbol) {
      state_.names.add(name.text, {OperandKind::variable, static_cast<std::int32_t>(all.size()), false});
      all.push_back(std::move(declared.variable));
      continue;
    }
    if (symbol->kind != OperandKind::variable) fail(name, "this name is already used by a function");
    Variable& earlier = all[static_cast<std::size_t>(symbol->index)];
    if (earlier.space != space) fail(name, fmt::format("already declared in .{}", name_of(earlier.space)));
    if (!earlier.is_extern && !linked.is_extern && !linked.replaceable) fail(name, "this variable is already defined");
    if (earlier.is_extern) earlier = std::move(declared.variable);
  }
}

void ModuleParser::function(bool is_entry) {
  Function head;
  head.is_entry = is_entry;
  ParameterList returns, parameters;
  if (!is_entry && in_.at("(")) returns = parse_parameters(state_);
  const Token name = parse_name(in_, is_entry ? "the name of a kernel" : "the name of a function");
  head.name = name.text;
  head.line = name.line;
  if (in_.at("(")) parameters = parse_parameters(state_);
  head.returns = returns.parameters;
  head.parameters = parameters.parameters;
  head_directives(head);
  Function& function = declare_function(name, std::move(head));
  if (in_.accept(";")) return;
  if (function.defined) fail(name, "this function is already defined");
  function.defined = true;
  body(function, returns.names, parameters.names);
}

/// Parses a body. If it contains something unknown, skips it and keeps the function without a body, so that kernels
/// that do not call it can run.
void ModuleParser::body(Function& function, const std::vector<Token>& returns, const std::vector<Token>& parameters) {
  const Lexer before = in_;
  const Function head = function;
  try {
    BodyParser(state_, function).parse(returns, parameters);
  } catch (const Failure& failure) {
    in_ = before;
    try {
      skip_body();
    } catch (const Failure&) {
      throw failure;  // the rest of the text cannot be divided into functions
    }
    function = head;
    function.unsupported = failure.error;
  }
}

/// Skips "{ ... }" with all nested braces.
void ModuleParser::skip_body() {
  in_.expect("{", "before the body of a function");
  for (int depth = 1; depth > 0;) {
    const Token token = in_.next();
    if (token.kind == TokenKind::end) fail(token, "expected `}` after the body of a function");
    if (token.is("{")) ++depth;
    if (token.is("}")) --depth;
  }
}

/// Fails with the first problem of a body if it leaves no kernel that can run, or no function in a module without
/// kernels.
void ModuleParser::require_usable_kernel() const {
  const auto& functions = state_.module.functions;
  const bool has_kernels = std::ranges::any_of(functions, [](const Function& f) { return f.is_entry && f.defined; });
  const Error* first = nullptr;
  for (const Function& function : functions) {
    if (!function.defined) continue;
    if (function.unsupported && (first == nullptr || function.unsupported->line < first->line))
      first = &*function.unsupported;
    if (!function.unsupported && (function.is_entry || !has_kernels)) return;
  }
  if (first != nullptr) throw Failure{*first};
}

void ModuleParser::head_directives(Function& function) {
  while (in_.at(TokenKind::directive)) {
    const Token token = in_.next();
    const auto count = [&] { return static_cast<std::uint32_t>(parse_count(in_, max_u32, "a number")); };
    if (token.is(".maxntid")) {
      function.maxntid = parse_extents(in_);
    } else if (token.is(".reqntid")) {
      function.reqntid = parse_extents(in_);
    } else if (token.is(".minnctapersm")) {
      function.minnctapersm = count();
    } else if (token.is(".maxnreg")) {
      function.maxnreg = count();
    } else if (token.is(".noreturn")) {
      function.noreturn = true;
    } else if (token.is(".reqnctapercluster")) {
      function.reqnctapercluster = parse_extents(in_);
    } else if (token.is(".explicitcluster")) {
      function.explicit_cluster = true;
    } else if (token.is(".blocksareclusters")) {
      function.explicit_cluster = function.blocks_are_clusters = true;
    } else if (token.is(".maxclusterrank")) {
      function.maxclusterrank = count();
    } else if (token.is(".maxnctapersm") || token.is(".abi_preserve") || token.is(".abi_preserve_control")) {
      count();
    } else if (token.is(".pragma")) {
      in_.expect(TokenKind::string, "a pragma in quotes");
      in_.expect(";", "after a pragma");
    } else {
      fail(token, "this directive is not allowed before the body of a function");
    }
  }
}

/// Returns the function with this name: a new one, or that of an earlier declaration, which must match this one.
Function& ModuleParser::declare_function(const Token& name, Function head) {
  std::vector<Function>& all = state_.module.functions;
  const auto symbol = state_.names.find(name.text);
  if (!symbol) {
    state_.names.add(name.text, {OperandKind::function, static_cast<std::int32_t>(all.size()), false});
    all.push_back(std::move(head));
    return all.back();
  }
  if (symbol->kind != OperandKind::function) fail(name, "this name is already used by a variable");
  Function& earlier = all[static_cast<std::size_t>(symbol->index)];
  if (earlier.is_entry != head.is_entry || !same_sizes(earlier.returns, head.returns) ||
      !same_sizes(earlier.parameters, head.parameters))
    fail(name, fmt::format("already declared on line {} with different parameters", earlier.line));
  if (earlier.defined) return earlier;
  head.noreturn = head.noreturn || earlier.noreturn;
  earlier = std::move(head);
  return earlier;
}

void ModuleParser::alias() {
  std::array<std::int32_t, 2> indices{};
  for (std::size_t i = 0; i < 2; ++i) {
    if (i == 1) in_.expect(",", "between the names of an alias");
    const Token name = parse_name(in_, "a function");
    const auto symbol = state_.names.find(name.text);
    if (!symbol || symbol->kind != OperandKind::function) fail(name, "no function with this name has been declared");
    const Function& function = state_.module.functions[static_cast<std::size_t>(symbol->index)];
    if (function.defined != (i == 1))
      fail(name, i == 0 ? "an alias must not have a body" : "the target of an alias must have a body");
    indices[i] = symbol->index;
  }
  in_.expect(";", "after an alias");
  aliases_[indices[0]] = indices[1];
}

/// Replaces every reference to an alias by a reference to its target.
void ModuleParser::resolve_aliases() {
  const auto follow = [&](std::int32_t& index) {
    if (const auto found = aliases_.find(index); found != aliases_.end()) index = found->second;
  };
  for (Variable& variable : state_.module.variables)
    for (Relocation& relocation : variable.relocations)
      if (relocation.function) follow(relocation.index);
  for (Function& function : state_.module.functions)
    for (Instruction& instruction : function.instructions)
      for (Operand& operand : instruction.operands)
        if (operand.kind == OperandKind::function) follow(operand.index);
}

std::variant<Module, Error> parse(std::string_view text) {
  try {
    return ModuleParser(text).parse();
  } catch (const Failure& failure) {
    return failure.error;
  }
}

}  // namespace warpwalk::ptx
