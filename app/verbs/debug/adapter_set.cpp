// Requests that change inputs of the launch, and completions of the console.

#include <fmt/format.h>

#include "app/verbs/debug/adapter.h"
#include "app/verbs/debug/completions.h"
#include "core/base/base64.h"

namespace warpwalk::verbs {
namespace {

constexpr std::size_t most_written_bytes = std::size_t{1} << 20;

}  // namespace

void DebugAdapter::inputs_changed() {
  if (!invalidates_) return;
  event("invalidated",
        [](MessageJson& json) { json.array("areas", [&] { json.element(std::string_view("variables")); }); });
}

void DebugAdapter::set(const std::string& expression, const std::string& value, const Frame& frame) {
  if (expression.empty() || value.empty()) throw Refusal{"an expression and its new value are needed"};
  const auto now = run_->set(expression, value, frame.focus, frame.number);
  if (!now) throw Refusal{now.error()};
  const Variable variable = variable_of(expression, *now, frame);
  respond([&](MessageJson& json) {
    json.member("value", variable.value);
    if (!variable.type.empty()) json.member("type", variable.type);
    json.member("variablesReference", variable.reference);
    if (variable.indexed > 0) json.member("indexedVariables", variable.indexed);
  });
  inputs_changed();
}

void DebugAdapter::set_variable(const JsonReader& arguments) {
  const std::int64_t of = arguments.number("variablesReference").value_or(0);
  if (of < 1 || static_cast<std::size_t>(of) > scopes_.size())
    throw Refusal{"`variablesReference` is of an earlier stop"};
  const Scope scope = scopes_[static_cast<std::size_t>(of - 1)];
  std::string expression = arguments.text("name");
  if (scope.kind == Scope::Kind::elements) expression = scope.expression + expression;
  if (scope.kind == Scope::Kind::members) expression = fmt::format("{}.{}", scope.expression, expression);
  if (scope.kind == Scope::Kind::lanes) throw Refusal{fmt::format("{} cannot be set by lane", scope.expression)};
  set(expression, arguments.text("value"), {scope.focus, scope.frame});
}

void DebugAdapter::set_expression(const JsonReader& arguments) {
  set(arguments.text("expression"), arguments.text("value"), frame_of(arguments));
}

void DebugAdapter::write_memory(const JsonReader& arguments) {
  const std::uint64_t address = memory_address(arguments);
  const auto bytes = base::from_base64(arguments.text("data"));
  if (!bytes) throw Refusal{"`data` is base64"};
  if (bytes->size() > most_written_bytes) throw Refusal{fmt::format("`data` has at most {} bytes", most_written_bytes)};
  if (const auto done = run_->set_bytes(address, *bytes, fmt::format("{} bytes at {:#x}", bytes->size(), address));
      !done)
    throw Refusal{done.error()};
  respond([&](MessageJson& json) { json.member("bytesWritten", bytes->size()); });
  inputs_changed();
}

void DebugAdapter::completions(const JsonReader& arguments) {
  const std::string text = arguments.text("text");
  const std::int64_t first = columns_from_one_ ? 1 : 0;
  const std::int64_t column =
      arguments.number("column").value_or(static_cast<std::int64_t>(text.size()) + first) - first;
  const auto cursor =
      static_cast<std::size_t>(std::clamp<std::int64_t>(column, 0, static_cast<std::int64_t>(text.size())));
  const Frame frame = frame_of(arguments);
  const DebugCompletions made =
      complete_line(session(), std::string_view(text).substr(0, cursor), frame.focus, frame.number);
  respond([&](MessageJson& json) {
    json.array("targets", [&] {
      for (const DebugCompletion& word : made.words)
        json.object([&] {
          json.member("label", word.text);
          json.member("type", word.is_command ? "keyword" : "variable");
          json.member("start", made.start + static_cast<std::size_t>(first));
          json.member("length", cursor - made.start);
        });
    });
  });
}

}  // namespace warpwalk::verbs
