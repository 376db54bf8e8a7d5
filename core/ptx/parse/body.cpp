#include "core/ptx/parse/body.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/ptx/parse/call.h"
#include "core/ptx/parse/declaration.h"
#include "core/ptx/parse/expression.h"
#include "core/ptx/parse/operand_check.h"
#include "core/ptx/parse/register_arguments.h"
#include "core/ptx/parse/source_lines.h"

namespace warpwalk::ptx {

BodyParser::BodyParser(State& state, Function& function)
    : state_(state), in_(state.in), function_(function), operands_(state, scopes_) {}

void BodyParser::parse(const std::vector<Token>& returns, const std::vector<Token>& parameters) {
  scopes_.open();
  enter_parameters(returns, function_.returns, true);
  enter_parameters(parameters, function_.parameters, false);
  const std::size_t outermost = scopes_.depth();
  in_.expect("{", "before the body of a function");
  scopes_.open();
  labels_.open();
  while (scopes_.depth() > outermost) statement();
  labels_.resolve(function_);
  check_calls(state_.module, function_);
  pass_registers_in_memory(state_.module, function_);
}

void BodyParser::enter_parameters(const std::vector<Token>& names, std::vector<Parameter>& parameters, bool returns) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Parameter& parameter = parameters[i];
    Symbol symbol{OperandKind::parameter, static_cast<std::int32_t>(i), returns};
    if (parameter.in_register) {
      parameter.reg = static_cast<std::int32_t>(function_.registers.size());
      push_register(parameter.name, parameter.type, parameter.elements);
      symbol = {OperandKind::reg, parameter.reg, false, parameter.elements};
    }
    if (!scopes_.innermost().add(names[i].text, symbol)) fail(names[i], "duplicate parameter name");
  }
}

void BodyParser::statement() {
  const Token token = in_.peek();
  if (token.is("{")) {
    if (scopes_.depth() > state_.limits.nesting)
      fail(token, fmt::format("blocks are nested more than {} deep", state_.limits.nesting));
    in_.next();
    scopes_.open();
    labels_.open();
  } else if (token.is("}")) {
    in_.next();
    scopes_.close();
    labels_.close();
  } else if (token.is(";")) {
    in_.next();
  } else if (token.kind == TokenKind::directive) {
    directive();
  } else if (token.kind == TokenKind::word && in_.peek_second().is(":")) {
    label_statement();
  } else if (token.kind == TokenKind::word || token.is("@")) {
    instruction();
  } else {
    fail(token, token.kind == TokenKind::end ? "expected `}` after the body of a function"
                                             : "expected an instruction, a label or a directive");
  }
}

void BodyParser::directive() {
  const Token token = in_.next();
  if (token.is(".reg")) return registers();
  if (token.is(".local")) return variables(Space::local, false);
  if (token.is(".shared")) return variables(Space::shared, false);
  if (token.is(".param")) return variables(Space::param, false);
  if (token.is(".global")) return module_variables(Space::global);
  if (token.is(".const")) return module_variables(Space::constant);
  if (token.is(".loc")) {
    location_ = parse_location(state_, function_);
  } else if (token.is(".pragma")) {
    do in_.expect(TokenKind::string, "a pragma in quotes");
    while (in_.accept(","));
    in_.expect(";", "after a pragma");
  } else if (token.is(".file")) {
    parse_file(state_);
  } else if (token.is(".section")) {
    skip_section(state_);
  } else if (token.is(".extern")) {
    in_.expect(".shared", "after .extern within a function");
    variables(Space::shared, true);
  } else {
    fail(token, "this directive is not allowed inside a function");
  }
}

void BodyParser::registers() {
  if (in_.accept(".align")) parse_count(in_, std::numeric_limits<std::uint32_t>::max(), "an alignment in bytes");
  const std::uint8_t elements = in_.accept(".v2") ? 2 : in_.accept(".v4") ? 4 : 1;
  const Token token = in_.expect(TokenKind::directive, "a type after .reg");
  const Type type = find_type(token.text.substr(1));
  if (!is_fundamental(type)) fail(token, "expected a register type such as .b32");
  if (elements > 1 && type == Type::pred) fail(token, "a vector register cannot hold predicates");
  if (elements * bytes_of(type) > 16) fail(token, "a vector register has at most 16 bytes");
  do {
    const Token name = parse_name(in_, "the name of a register");
    if (in_.at("<"))
      register_range(type, name, elements);
    else
      add_register(name, type, elements);
  } while (in_.accept(","));
  in_.expect(";", "after the declaration of registers");
}

void BodyParser::register_range(Type type, const Token& name, std::uint8_t elements) {
  in_.next();
  const Token number = in_.expect(TokenKind::number, "the number of registers");
  const auto count = read_number(number.text);
  if (!count || count->literal != Literal::integer) fail(number, "expected the number of registers");
  const bool fits = count->bits <= state_.limits.registers;
  count_registers(number, name.text.size(), fits ? count->bits * elements : count->bits);
  in_.expect(">", "after the number of registers");
  const auto first = static_cast<std::int32_t>(function_.registers.size());
  if (!scopes_.innermost().add_range(name.text, first, static_cast<std::uint32_t>(count->bits), elements))
    fail(name, "registers with this name are already declared in this block");
  for (std::uint64_t i = 0; i < count->bits; ++i) push_register(fmt::format("{}{}", name.text, i), type, elements);
}

void BodyParser::add_register(const Token& name, Type type, std::uint8_t elements) {
  count_registers(name, name.text.size(), elements);
  const auto index = static_cast<std::int32_t>(function_.registers.size());
  if (!scopes_.innermost().add(name.text, {OperandKind::reg, index, false, elements}))
    fail(name, "this name is already declared in this block");
  push_register(name.text, type, elements);
}

/// The elements of a vector are registers of their own.
void BodyParser::push_register(std::string_view name, Type type, std::uint8_t elements) {
  if (elements == 1) function_.registers.push_back({std::string(name), type});
  for (std::size_t i = 0; elements > 1 && i < elements; ++i)
    function_.registers.push_back({fmt::format("{}.{}", name, "xyzw"[i]), type});
}

/// Counts registers against the limits before memory is allocated for them.
void BodyParser::count_registers(const Token& at, std::uint64_t name_length, std::uint64_t count) {
  if (count > state_.limits.registers - state_.registers)
    fail(at, fmt::format("a module can have at most {} registers", state_.limits.registers));
  state_.registers += count;
  state_.register_name_bytes += name_length * count;
  if (state_.register_name_bytes > state_.limits.register_name_bytes)
    fail(at, fmt::format("the register names take more than {} bytes", state_.limits.register_name_bytes));
}

void BodyParser::variables(Space space, bool is_extern) {
  for (DeclaredVariable& declared : parse_variables(state_, space, is_extern)) {
    const auto index = static_cast<std::int32_t>(function_.variables.size());
    if (!scopes_.innermost().add(declared.name.text, {OperandKind::local_variable, index, false}))
      fail(declared.name, "this name is already declared in this block");
    function_.variables.push_back(std::move(declared.variable));
  }
}

/// A .global or .const variable lives as long as the module (PTX ISA, "State Spaces"); only its name is local.
void BodyParser::module_variables(Space space) {
  std::vector<Variable>& all = state_.module.variables;
  for (DeclaredVariable& declared : parse_variables(state_, space, false, &scopes_)) {
    if (declared.variable.type >= Type::texref)
      fail(declared.name, "a texture or surface cannot be declared inside a function");
    const auto index = static_cast<std::int32_t>(all.size());
    if (!scopes_.innermost().add(declared.name.text, {OperandKind::variable, index, false}))
      fail(declared.name, "this name is already declared in this block");
    // Another function, or another block of this one, may have a variable with the same name.
    std::string& name = declared.variable.name;
    name = fmt::format("{}.{}", function_.name, declared.name.text);
    if (std::ranges::find(all, name, &Variable::name) != all.end()) name += fmt::format(".{}", index);
    all.push_back(std::move(declared.variable));
  }
}

void BodyParser::label_statement() {
  const Token name = in_.next();
  in_.next();
  if (name.text.find('.') != std::string_view::npos) fail(name, "a name must not contain dots");
  if (in_.accept(".branchtargets")) return branch_targets(name);
  if (in_.accept(".callprototype")) return call_prototype(name);
  if (in_.accept(".calltargets")) return call_targets(name);
  labels_.define(name, OperandKind::label, static_cast<std::int32_t>(function_.instructions.size()));
}

void BodyParser::branch_targets(const Token& name) {
  const std::size_t table = function_.tables.size();
  std::vector<std::int32_t>& targets = function_.tables.emplace_back();
  do {
    labels_.use_in_table(parse_name(in_, "a label"), table, targets.size());
    targets.push_back(-1);
  } while (in_.accept(","));
  in_.expect(";", "after branch targets");
  labels_.define(name, OperandKind::table, static_cast<std::int32_t>(table));
}

void BodyParser::call_prototype(const Token& name) {
  Prototype prototype;
  if (in_.at("(")) prototype.returns = parse_parameters(state_).parameters;
  in_.expect("_", "in place of the function name");
  if (in_.at("(")) prototype.parameters = parse_parameters(state_).parameters;
  in_.accept(".noreturn");
  for (const std::string_view abi : {".abi_preserve", ".abi_preserve_control"})
    if (in_.accept(abi)) in_.expect(TokenKind::number, "a number");
  in_.expect(";", "after a prototype");
  labels_.define(name, OperandKind::prototype, static_cast<std::int32_t>(function_.prototypes.size()));
  function_.prototypes.push_back(std::move(prototype));
}

void BodyParser::call_targets(const Token& name) {
  std::int32_t first = -1;
  do {
    const Token target = parse_name(in_, "a function");
    const auto symbol = state_.names.find(target.text);
    if (!symbol || symbol->kind != OperandKind::function) fail(target, "no function with this name has been declared");
    if (first < 0) first = symbol->index;
  } while (in_.accept(","));
  in_.expect(";", "after call targets");
  // All targets have the same signature, so the parameters of the first one are the prototype.
  const auto [known, is_new] = prototypes_.emplace(first, static_cast<std::int32_t>(function_.prototypes.size()));
  labels_.define(name, OperandKind::prototype, known->second);
  if (!is_new) return;
  const Function& callee = state_.module.functions[static_cast<std::size_t>(first)];
  function_.prototypes.push_back({callee.returns, callee.parameters});
}

namespace {

/// Compute capability 1 has one mad.f32 for the driver to translate: "When JIT-compiled for SM 2.0 devices, mad.f32 is
/// implemented as a fused multiply-add (i.e., fma.rn.ftz.f32)" (PTX ISA, mad). Its other f32 instructions flush
/// subnormals without .ftz.
std::string word_of_first_gpus(std::string_view word) {
  constexpr std::string_view type = ".f32";
  constexpr std::string_view flushing[] = {"mad", "add", "sub", "mul", "abs", "neg", "min", "max", "set", "setp"};
  std::string result(word);
  const std::string_view name = word.substr(0, word.find('.'));
  const std::size_t at = word.find(type);
  if (at == std::string_view::npos || word.find(".ftz") != std::string_view::npos) return result;
  if (std::ranges::find(flushing, name) == std::end(flushing)) return result;
  result.insert(at, ".ftz");
  if (name == "mad") result.replace(0, name.size(), "fma.rn");
  return result;
}

bool is_of_first_gpus(std::string_view target) {
  return target == "sm_10" || target == "sm_11" || target == "sm_12" || target == "sm_13";
}

}  // namespace

void BodyParser::instruction() {
  Instruction guarded;
  if (in_.at("@")) guard(guarded);
  const Token word = in_.expect(TokenKind::word, "an instruction");
  auto found = state_.decoded.find(word.text);
  if (found == state_.decoded.end()) {
    std::string first;
    Token decoded = word;
    if (is_of_first_gpus(state_.module.target)) decoded.text = first = word_of_first_gpus(word.text);
    found = state_.decoded.emplace(word.text, decode(decoded)).first;
  }
  const Decoded& decoded = found->second;
  Instruction instruction = decoded.pattern;
  instruction.guard = guarded.guard;
  instruction.guard_negated = guarded.guard_negated;
  instruction.line = word.line;
  instruction.column = word.column;
  instruction.location = location_;
  switch (instruction.opcode) {
    case Opcode::call: parse_call(state_, operands_, labels_, function_, instruction); break;
    case Opcode::bra: label_operand(instruction, OperandKind::label, "a label to branch to"); break;
    case Opcode::brx_idx: indexed_branch(instruction); break;
    default: operands(instruction, *decoded.form);
  }
  in_.expect(";", "after an instruction");
  if (instruction.opcode == Opcode::mov && instruction.vector > 1) return split_move(instruction);
  function_.instructions.push_back(std::move(instruction));
}

void BodyParser::guard(Instruction& instruction) {
  in_.next();
  instruction.guard_negated = in_.accept("!") ? 1 : 0;
  const Token name = in_.expect(TokenKind::word, "a predicate register");
  const auto symbol = scopes_.find(name.text);
  if (!symbol || symbol->kind != OperandKind::reg ||
      function_.registers[static_cast<std::size_t>(symbol->index)].type != Type::pred)
    fail(name, "expected a predicate register after @");
  instruction.guard = symbol->index;
}

void BodyParser::operands(Instruction& instruction, const Form& form) {
  operand_tokens_.clear();
  if (!in_.at(";")) do {
      operand_tokens_.push_back(in_.peek());
      instruction.operands.push_back(operands_.operand());
    } while (in_.accept(","));
  if (!in_.at(";")) fail(in_.peek(), "expected `,` or `;` after an operand");
  check_operands(form, state_.module, function_, instruction, operand_tokens_, in_.peek());
  add_up(instruction);
  // ld.u32 of [name] without a space accesses the space of the variable.
  if (instruction.space != Space::generic) return;
  for (const Operand& operand : instruction.operands)
    if (operand.address) instruction.space = space_of(state_.module, function_, operand);
}

void BodyParser::indexed_branch(Instruction& instruction) {
  const Token place = in_.peek();
  Operand index = operands_.operand();
  if (index.kind != OperandKind::reg || index.address || index.offset != 0 || index.selector.count != 0 ||
      index.negated || index.minus || bytes_of(function_.registers[static_cast<std::size_t>(index.index)].type) != 4)
    fail(place, "expected a 32-bit register with the index of a branch target");
  instruction.operands.push_back(std::move(index));
  in_.expect(",", "before the name of a branch table");
  label_operand(instruction, OperandKind::table, "the name of a branch table");
}

void BodyParser::label_operand(Instruction& instruction, OperandKind kind, std::string_view what) {
  const Token name = in_.expect(TokenKind::word, what);
  labels_.use_operand(name, function_.instructions.size(), instruction.operands.size());
  instruction.operands.emplace_back().kind = kind;
}

}  // namespace warpwalk::ptx
