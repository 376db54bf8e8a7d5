// Changes inputs of the launch where its past stays the same.
#include <cmath>

#include <fmt/format.h>

#include "core/debug/inputs.h"
#include "core/debug/session.h"
#include "core/gpu/exec/address_space.h"

namespace warpwalk::debug {
namespace {

/// Where a value goes, and how it is stored there.
struct SetTarget {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::optional<ops::DType> real;  ///< the type of a real number; nullopt: a whole number
};

std::optional<ops::DType> real_type(std::uint32_t bytes) {
  if (bytes == 2) return ops::DType::f16;
  if (bytes == 4) return ops::DType::f32;
  if (bytes == 8) return ops::DType::f64;
  return {};
}

bool in_parameters(const Recording& recording, std::uint64_t address) {
  return address >= gpu::parameter_base && address < gpu::parameter_base + recording.program().parameter_bytes;
}

base::Result<SetTarget> target_of(Moment& thread, const Recording& recording, const Expression& expression) {
  const auto value = expression.evaluate(thread);
  if (const auto parameter = thread.parameter_place(expression.name())) {
    if (parameter->bytes > 8) return base::Error{"the parameter is a struct: set its members"};
    SetTarget target{parameter->address, parameter->bytes, {}};
    if (value && value->kind == Value::Kind::real) target.real = real_type(parameter->bytes);
    return target;
  }
  if (!value) return base::Error{value.error()};
  if (value->kind == Value::Kind::object) return base::Error{"it is a struct: set its members"};
  // The debug information may say that a variable is a parameter, whose memory keeps what the kernel was called with.
  if (value->kind != Value::Kind::pointer && value->space == Value::Space::global &&
      in_parameters(recording, value->address)) {
    SetTarget target{value->address, value->bytes, {}};
    if (value->kind == Value::Kind::real) target.real = real_type(value->bytes);
    return target;
  }
  if (thread.register_place(expression.name()))
    return base::Error{"it is in a register, which the kernel has computed; `who` says from what"};
  const auto place = expression.place(thread);
  if (!place) return base::Error{place.error()};
  if (place->pointer.kind != Value::Kind::pointer || place->index < 0)
    return base::Error{"it has no place in memory: write an element, as a[3] or *p, or a parameter"};
  if (place->pointer.space != Value::Space::global)
    return base::Error{
        fmt::format("{} memory has what the kernel wrote there; set the input that it comes from, which "
                    "`who` names",
                    place->pointer.space == Value::Space::shared ? "shared" : "local")};
  SetTarget target{place->pointer.address + static_cast<std::uint64_t>(place->index) * place->pointer.stride,
                   place->pointer.stride,
                   {}};
  const bool of_source = place->pointer.source != nullptr && place->pointer.source->type >= 0;
  if (value->kind == Value::Kind::real)
    target.real = of_source || !ops::is_float(place->pointer.element) ? real_type(target.bytes)
                                                                      : std::optional(place->pointer.element);
  if (target.bytes > 8) return base::Error{"it has more than 8 bytes: set its parts"};
  return target;
}

/// The bytes of a value in a place.
base::Result<std::vector<std::uint8_t>> bytes_for(const Value& value, const SetTarget& target) {
  std::uint64_t bits = 0;
  if (value.kind == Value::Kind::object) return base::Error{"the value is a struct"};
  if (target.real) {
    bits = ops::float_bits(*target.real, value.as_real());
  } else if (value.kind == Value::Kind::real) {
    if (value.real != std::floor(value.real) || !(std::abs(value.real) < 9e18))
      return base::Error{fmt::format("{} is no whole number", value.real)};
    bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value.real));
  } else {
    bits = static_cast<std::uint64_t>(value.integer);
  }
  if (target.bytes < 8 && !target.real) {
    const auto number = static_cast<std::int64_t>(bits);
    const std::int64_t limit = std::int64_t{1} << 8 * target.bytes;
    if (number >= limit || number < -limit / 2)
      return base::Error{fmt::format("{} does not fit into {} bits", number, 8 * target.bytes)};
  }
  std::vector<std::uint8_t> bytes(target.bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(bits >> 8 * i);
  return bytes;
}

}  // namespace

base::Result<Value> Session::set(std::string_view expression, std::string_view value, const Focus& focus,
                                 std::size_t frame) {
  const auto parsed = Expression::parse(expression);
  if (!parsed) return base::Error{parsed.error()};
  const auto wanted = Expression::parse(value);
  if (!wanted) return base::Error{fmt::format("the value `{}` cannot be read: {}", value, wanted.error())};
  Moment thread = moment(focus, frame);
  const auto target = target_of(thread, *recording_, *parsed);
  if (!target) return base::Error{fmt::format("{} cannot be set: {}", expression, target.error())};
  const auto number = wanted->evaluate(thread);
  if (!number) return base::Error{fmt::format("the value `{}` cannot be read: {}", value, number.error())};
  const auto bytes = bytes_for(*number, *target);
  if (!bytes) return base::Error{fmt::format("{} cannot be set: {}", expression, bytes.error())};
  if (const auto done = set_bytes(target->address, *bytes, expression); !done) return base::Error{done.error()};
  return evaluate(expression, focus, frame);
}

base::Result<void> Session::set_bytes(std::uint64_t address, std::span<const std::uint8_t> bytes,
                                      std::string_view name) {
  const auto refuse = [&](std::string_view why) { return base::Error{fmt::format("{} cannot be set: {}", name, why)}; };
  if (bytes.empty()) return refuse("no bytes are given");
  auto changed = with_input(*recording_, address, bytes);
  if (!changed) return refuse(changed.error());
  if (const auto use = first_use(*recording_, address, bytes.size(), at_)) {
    const gpu::WarpPlace warp = recording_->warp_at(use->at);
    const std::uint32_t instruction = recording_->issue_at(use->at).instruction;
    return refuse(fmt::format("{} {} it before this stop, at {} in {}, cycle {}; go back to cycle {} and set it there",
                              code().text_of(instruction), use->writes ? "writes" : "reads", place_text(instruction),
                              thread_text({warp.block, warp.warp, use->lane}), use->at.cycle, use->at.cycle));
  }
  const auto begun = [&] {
    for (std::uint16_t sm = 0; sm < recording_->sms(); ++sm)
      if (!recording_->log(sm).issues().empty() && recording_->position(sm, 0) < at_) return true;
    return false;
  };
  if (const std::string unlogged = unlogged_reads(*recording_, address); !unlogged.empty() && begun())
    return refuse(
        fmt::format("{}, and such reads are not logged; set it at the first instruction of the launch (run, "
                    "or cycle 0)",
                    unlogged));
  auto made = Recording::make(std::move(*changed), recording_->device(), recording_->options());
  if (!made) return refuse(made.error());
  if (!have_same_past(*recording_, **made, at_, recording_->sm_of(focus_.block).value_or(0)))
    return refuse("what ran before this stop would not be the same; go back and set it there");
  recording_ = std::move(*made);
  for (const auto& breakpoint : breakpoints_) {
    breakpoint->candidates.reset();
    breakpoint->counted.reset();
  }
  answer_ = {};
  const unsigned depth = depth_;
  find_here();
  depth_ = depth;
  at_.cycle = std::min(at_.cycle, static_cast<std::uint32_t>(recording_->end()));
  return {};
}

std::vector<std::string> Session::names(const Focus& focus, std::size_t frame) {
  Moment thread = moment(focus, frame);
  std::vector<std::string> names;
  for (const SourceVariables& block : thread.source_variables())
    for (const SourceVariable& variable : block.variables) names.push_back(variable.name);
  using Kind = Moment::Kind;
  for (const Kind kind : {Kind::buffer, Kind::parameter, Kind::variable, Kind::shared, Kind::special})
    for (std::string& name : thread.names(kind)) names.push_back(std::move(name));
  for (const auto& rows : {thread.registers(), thread.predicates()})
    for (const RegisterRow& row : rows) names.push_back(row.name);
  return names;
}

}  // namespace warpwalk::debug
