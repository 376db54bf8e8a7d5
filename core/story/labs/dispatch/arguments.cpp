#include "core/story/labs/dispatch/arguments.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpwalk::story {
namespace {

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The parts between commas that are not inside brackets.
std::vector<std::string_view> comma_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size()) {
      depth += text[i] == '(' || text[i] == '[';
      depth -= text[i] == ')' || text[i] == ']';
      if (text[i] != ',' || depth > 0) continue;
    }
    if (const std::string_view part = without_spaces(text.substr(begin, i - begin)); !part.empty())
      parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

/// The text inside the outermost brackets.
std::string_view inside(std::string_view text) {
  const std::size_t open = text.find('('), close = text.rfind(')');
  return text.substr(open + 1, close - open - 1);
}

std::string type_of(std::string_view value) {
  const char first = value.front();
  if (first == '\'') return "str";
  if (first == '(') return "tuple";
  if (value == "True" || value == "False") return "bool";
  if (std::isdigit(static_cast<unsigned char>(first)) != 0)
    return value.find('.') == std::string_view::npos ? "int" : "float";
  return "Tensor";
}

bool is_number(std::string_view type) { return type == "int" || type == "float"; }

/// Functions whose tensors may be given as Python numbers.
bool takes_numbers(std::string_view function) { return function == "add" || function == "add_"; }

bool accepts(const SignatureParameter& parameter, std::string_view type, std::string_view function) {
  if (parameter.type == "Tensor") return type == "Tensor" || (is_number(type) && takes_numbers(function));
  if (parameter.type == "Number") return is_number(type) || type == "bool";
  if (parameter.type == "bool") return type == "bool";
  if (parameter.type.starts_with("tuple of ints")) return type == "tuple" || type == "int";
  return false;
}

constexpr std::string_view not_unpacked = "failed to unpack the object at pos";

/// NumPy's names for some parameters, which are accepted too.
bool can_name(const PythonValue& value, const SignatureParameter& parameter) {
  if (value.keyword == parameter.name) return true;
  const auto either = [&](std::string_view name, std::initializer_list<std::string_view> others) {
    return parameter.name == name && std::ranges::find(others, value.keyword) != others.end();
  };
  return either("input", {"x", "a", "x1"}) || either("other", {"x2"}) || either("dim", {"axis"}) ||
         either("keepdim", {"keepdims"});
}

std::size_t positional(const CallSignature& signature) {
  return static_cast<std::size_t>(std::ranges::count(signature.parameters, false, &SignatureParameter::keyword_only));
}

std::size_t given_by_position(const PythonCall& call) {
  return static_cast<std::size_t>(
      std::ranges::count_if(call.values, [](const PythonValue& value) { return value.keyword.empty(); }));
}

/// "zeros(2, 3)": whole numbers in place of the tuple that the only positional parameter takes.
bool spread_sizes(const CallSignature& signature, const PythonCall& call) {
  const std::size_t given = given_by_position(call);
  if (given == 0 || positional(signature) != 1 || !signature.parameters.front().type.starts_with("tuple of ints"))
    return false;
  return call.values.front().type == "int";
}

}  // namespace

CallSignature parse_signature(std::string_view text) {
  CallSignature signature;
  signature.name = text.substr(0, text.find('('));
  signature.deprecated = text.ends_with("| deprecated");
  bool keyword_only = false;
  for (const std::string_view part : comma_parts(inside(text))) {
    if (part == "*") {
      keyword_only = true;
      continue;
    }
    SignatureParameter& parameter = signature.parameters.emplace_back();
    const std::string_view before = without_spaces(part.substr(0, part.find('=')));
    const std::size_t space = before.rfind(' ');
    parameter.type = before.substr(0, space);
    parameter.name = before.substr(space + 1);
    parameter.optional = part.find('=') != std::string_view::npos;
    parameter.keyword_only = keyword_only;
  }
  return signature;
}

PythonCall parse_python_call(std::string_view text) {
  PythonCall call;
  call.function = text.substr(0, text.find('('));
  for (const std::string_view part : comma_parts(inside(text))) {
    PythonValue& value = call.values.emplace_back();
    std::string_view content = part;
    if (const std::size_t equals = part.find('='); equals != std::string_view::npos) {
      value.keyword = without_spaces(part.substr(0, equals));
      content = without_spaces(part.substr(equals + 1));
    }
    value.text = content;
    value.type = type_of(content);
  }
  return call;
}

SignatureVerdict match(const CallSignature& signature, const PythonCall& call) {
  const std::string& name = signature.name;
  const std::size_t given = given_by_position(call), most = positional(signature);
  const bool spread = spread_sizes(signature, call);
  if (given > most && !spread)
    return {false, fmt::format("{}() takes {} positional argument{} but {} {} given", name, most, most == 1 ? "" : "s",
                               given, given == 1 ? "was" : "were")};
  std::size_t used = 0;
  for (std::size_t p = 0; p < signature.parameters.size(); ++p) {
    const SignatureParameter& parameter = signature.parameters[p];
    const PythonValue* value = nullptr;
    const bool by_position = !parameter.keyword_only && p < given;
    if (by_position) value = &call.values[p];
    for (const PythonValue& one : call.values)
      if (!by_position && can_name(one, parameter)) value = &one;
    if (value == nullptr) {
      if (parameter.optional) continue;
      std::vector<std::string> missing;
      for (std::size_t m = p; m < most; ++m)
        if (!signature.parameters[m].optional) missing.push_back(fmt::format("\"{}\"", signature.parameters[m].name));
      // The plural is PyTorch's.
      return {false, fmt::format("{}() missing {} required positional argument{}: {}", name, missing.size(),
                                 missing.size() == 1 ? "s" : "", fmt::join(missing, ", "))};
    }
    if (!accepts(parameter, value->type, name))
      return {false, fmt::format("{}(): argument '{}'{} must be {}, not {}", name, parameter.name,
                                 by_position ? fmt::format(" (position {})", p + 1) : "", parameter.type, value->type)};
    for (std::size_t i = 1; spread && p == 0 && i < given; ++i)
      if (call.values[i].type != "int")
        return {false, fmt::format("{}(): argument '{}' {} {} with error \"type must be {},but got {}\"", name,
                                   parameter.name, not_unpacked, i + 1, parameter.type, call.values[i].type)};
    used += spread && p == 0 ? given : 1;
  }
  if (used == call.values.size()) return {true, {}};
  for (const PythonValue& value : call.values)
    if (!value.keyword.empty() &&
        std::ranges::none_of(signature.parameters, [&](const auto& parameter) { return can_name(value, parameter); }))
      return {false, fmt::format("{}() got an unexpected keyword argument '{}'", name, value.keyword)};
  return {false, fmt::format("{}() got multiple values for argument '{}'", name, call.values.back().keyword)};
}

Parsed parse_arguments(const std::vector<CallSignature>& signatures, const PythonCall& call) {
  Parsed parsed;
  // A message is about one signature if only that one takes so many arguments.
  std::vector<std::size_t> plausible;
  for (std::size_t s = 0; s < signatures.size(); ++s) {
    const CallSignature& signature = signatures[s];
    parsed.verdicts.push_back(match(signature, call));
    if (parsed.verdicts.back().fits && !parsed.taken) parsed.taken = s;
    const auto least =
        static_cast<std::size_t>(std::ranges::count(signature.parameters, false, &SignatureParameter::optional));
    const std::size_t given = call.values.size();
    if (given >= least && given <= signature.parameters.size() && !signature.deprecated) plausible.push_back(s);
  }
  if (parsed.taken) return parsed;
  // Sizes with an element of another type end the search at once.
  for (const SignatureVerdict& verdict : parsed.verdicts)
    if (verdict.problem.find(not_unpacked) != std::string::npos) {
      parsed.error = verdict.problem;
      return parsed;
    }
  if (signatures.size() == 1 || plausible.size() == 1) {
    parsed.error = parsed.verdicts[signatures.size() == 1 ? 0 : plausible.front()].problem;
    return parsed;
  }
  std::vector<std::string> types;
  for (const PythonValue& value : call.values)
    types.push_back(value.keyword.empty() ? value.type : fmt::format("{}={}", value.keyword, value.type));
  std::sort(types.begin() + static_cast<std::ptrdiff_t>(given_by_position(call)), types.end());
  const auto offered = std::ranges::count(signatures, false, &CallSignature::deprecated);
  parsed.error = fmt::format("{}() received an invalid combination of arguments - got ({}), but expected {}",
                             signatures.front().name, fmt::join(types, ", "), offered == 1 ? "another" : "one of:");
  return parsed;
}

}  // namespace warpwalk::story
