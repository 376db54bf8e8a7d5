// Typed access to the arguments of a call.
#include <fmt/format.h>

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::ops {
namespace {

std::string_view kind_of(const Call& call, std::size_t argument) {
  constexpr std::string_view kinds[] = {"None",   "a tensor", "an integer", "a number",
                                        "a bool", "sizes",    "a dtype",    "a string"};
  static_assert(std::size(kinds) == std::variant_size_v<Argument>);
  return argument < call.arguments.size() ? kinds[call.arguments[argument].index()] : "missing";
}

[[noreturn]] void unfit(const Call& call, std::size_t argument, std::string_view wanted) {
  throw OpError(fmt::format("{}: argument {} should be {} but is {}: {}", call.name(), argument + 1, wanted,
                            kind_of(call, argument), call.op->schema));
}

template <class Wanted>
const Wanted& get(const Call& call, std::size_t argument, std::string_view wanted) {
  const auto* const value = argument < call.arguments.size() ? std::get_if<Wanted>(&call.arguments[argument]) : nullptr;
  if (value == nullptr) unfit(call, argument, wanted);
  return *value;
}

}  // namespace

std::string_view Call::name() const { return op->name; }

const Tensor& Call::tensor(std::size_t argument) const {
  const Tensor& value = get<Tensor>(*this, argument, "a tensor");
  if (!value.defined()) throw OpError(fmt::format("{}: argument {} is not a tensor (undefined)", name(), argument + 1));
  return value;
}

std::int64_t Call::integer(std::size_t argument) const { return get<std::int64_t>(*this, argument, "an integer"); }

Number Call::number(std::size_t argument) const {
  if (argument < arguments.size()) {
    if (const auto* const whole = std::get_if<std::int64_t>(&arguments[argument])) return *whole;
    if (const auto* const real = std::get_if<double>(&arguments[argument])) return *real;
  }
  unfit(*this, argument, "a number");
}

const Sizes& Call::sizes(std::size_t argument) const { return get<Sizes>(*this, argument, "sizes"); }

DType Call::dtype(std::size_t argument) const { return get<DType>(*this, argument, "a dtype"); }

bool Call::given(std::size_t argument) const {
  return argument < arguments.size() && !std::holds_alternative<None>(arguments[argument]);
}

std::optional<std::int64_t> Call::optional_integer(std::size_t argument) const {
  if (!given(argument)) return {};
  return integer(argument);
}

bool Call::flag(std::size_t argument) const { return given(argument) && get<bool>(*this, argument, "a bool"); }

std::string_view Call::text(std::size_t argument) const {
  return given(argument) ? std::string_view(get<std::string>(*this, argument, "a string")) : std::string_view();
}

}  // namespace warpwalk::ops
