#include "core/ops/dispatch/dispatcher.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpwalk::ops {
namespace {

template <class Range>
std::string joined(const Range& words) {
  std::string out;
  for (const auto& word : words) out += fmt::format("{}{}", out.empty() ? "" : ", ", word);
  return out;
}

std::size_t row(Key key) { return static_cast<std::size_t>(key); }

bool dense(Key key) { return key == Key::CPU || key == Key::CUDA; }

std::string unknown_op(const Dispatcher& dispatcher, std::string_view op) {
  std::vector<std::string_view> near;
  for (const auto& [name, known] : dispatcher.operators())
    if (without_overload(name) == without_overload(op)) near.push_back(name);
  return near.empty() ? fmt::format("{}: no such op is defined", op)
                      : fmt::format("{}: no such op is defined; there is {}", op, joined(near));
}

// The advice depends on the reason: the tensors' layout or their device.
std::string no_function(const Operator& op, Key key) {
  std::vector<std::string_view> has;
  for (std::size_t k = 0; k < key_count; ++k) {
    const Key other = static_cast<Key>(k);
    if (backend_keys().has(other) && (op.table[k].kind != Registration::Kind::none || (op.any_backend && dense(other))))
      has.push_back(name_of(other));
  }
  if (has.empty()) return fmt::format("{} has no function for {} or any other backend", op.name, name_of(key));
  return fmt::format("{} has no function for {}; it has one for {}: {}", op.name, name_of(key), joined(has),
                     dense(key) ? "move the tensors there" : "make the tensors dense (strided)");
}

std::string_view effect_of(Registration::Kind kind) {
  switch (kind) {
    case Registration::Kind::kernel: return "kernel";
    case Registration::Kind::redispatch: return "redispatch";
    case Registration::Kind::fallthrough: return "fallthrough";
    case Registration::Kind::none: break;
  }
  return {};
}

}  // namespace

Dispatcher::Dispatcher(Observer* observer) : observer_(observer) {
  for (std::size_t k = 0; k < key_count; ++k)
    if (!backend_keys().has(static_cast<Key>(k)))
      fallbacks_[k] = {Registration::Kind::fallthrough, "nothing to do here", {}};
}

Operator& Dispatcher::define(std::string_view name, std::string_view schema) {
  const auto [at, added] = operators_.try_emplace(std::string(name));
  if (!added) throw OpError(fmt::format("{} is defined twice", name));
  at->second.name = name;
  at->second.schema = schema;
  return at->second;
}

const Operator* Dispatcher::find(std::string_view op) const {
  const auto at = operators_.find(op);
  return at == operators_.end() ? nullptr : &at->second;
}

void Dispatcher::add(std::string_view op, Key key, Registration::Kind kind, std::string name, Function function) {
  const auto at = operators_.find(op);
  if (at == operators_.end()) throw OpError(unknown_op(*this, op));
  at->second.table[row(key)] = {kind, std::move(name), std::move(function)};
}

void Dispatcher::add_composite(std::string_view op, std::string name, Function function) {
  const auto at = operators_.find(op);
  if (at == operators_.end()) throw OpError(unknown_op(*this, op));
  at->second.composite = {Registration::Kind::kernel, std::move(name), std::move(function)};
}

void Dispatcher::add_any_backend(std::string_view op, std::string name, Function function) {
  const auto at = operators_.find(op);
  if (at == operators_.end()) throw OpError(unknown_op(*this, op));
  at->second.any_backend = {Registration::Kind::kernel, std::move(name), std::move(function)};
}

void Dispatcher::add_fallback(Key key, Registration registration) { fallbacks_[row(key)] = std::move(registration); }

// The order of PyTorch's OperatorEntry::computeDispatchTableEntryWithDebug.
const Registration& Dispatcher::at(const Operator& op, Key key) const {
  if (op.table[row(key)].kind != Registration::Kind::none) return op.table[row(key)];
  if (op.any_backend && dense(key)) return *op.any_backend;
  if (op.composite && (backend_keys() | autograd_keys()).has(key)) return *op.composite;
  return fallbacks_[row(key)];
}

void Dispatcher::report(Key key, KeySet keys, const std::string& function, std::string_view effect) const {
  if (observer_ != nullptr) observer_->step({std::string(name_of(key)), function, std::string(effect), keys.names()});
}

Tensor Dispatcher::run(const Call& call) {
  for (KeySet keys = call.keys; !keys.empty();) {
    const Key key = keys.highest();
    const Registration& found = at(*call.op, key);
    if (found.kind == Registration::Kind::none) throw OpError(no_function(*call.op, key));
    const bool composite = call.op->composite && &found == &*call.op->composite;
    report(key, keys, found.name, composite ? "composite" : effect_of(found.kind));
    if (found.kind != Registration::Kind::fallthrough) {
      frames_.back() = {key, keys};
      Call passed = call;
      passed.keys = keys;
      return found.function(*this, passed);
    }
    keys = keys.below(key);
  }
  throw OpError(fmt::format("{} was called without a tensor or a device, so no backend can be chosen", call.op->name));
}

Tensor Dispatcher::call(std::string_view op, std::vector<Argument> arguments) {
  Call call;
  call.op = find(op);
  if (call.op == nullptr) throw OpError(unknown_op(*this, op));
  call.arguments = std::move(arguments);
  call.keys = included_;
  for (const Argument& argument : call.arguments)
    if (const auto* const tensor = std::get_if<Tensor>(&argument); tensor != nullptr && tensor->defined())
      call.keys = call.keys | keys_of(*tensor);
  call.keys = call.keys - excluded_;

  // Reports the op's begin and end, also if a function throws.
  struct Entered {
    Dispatcher& dispatcher;
    Tensor result;
    Entered(Dispatcher& d, const Call& c) : dispatcher(d) {
      if (d.observer_ != nullptr) d.observer_->op_begins(c);
      d.frames_.emplace_back();
    }
    ~Entered() {
      dispatcher.frames_.pop_back();
      if (dispatcher.observer_ != nullptr) dispatcher.observer_->op_ends(result);
    }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;
  } entered(*this, call);

  // PyTorch's profiler numbers what enters at an autograd key (Dispatcher::runRecordFunction).
  const KeySet entry = call.keys - autocast_keys();
  if (observer_ != nullptr && grad_enabled_ && !entry.empty() && autograd_keys().has(entry.highest()) &&
      at(*call.op, entry.highest()).kind != Registration::Kind::fallthrough)
    observer_->entered_autograd(next_sequence_);
  entered.result = run(call);
  return entered.result;
}

Tensor Dispatcher::redispatch(const Call& call, KeySet keys) {
  Call further = call;
  further.keys = keys;
  return run(further);
}

void Dispatcher::chose(DType dtype, std::string_view function) {
  const Frame& frame = frames_.back();
  report(frame.key, frame.keys, fmt::format("{}<{}>", function, name_of(dtype)), "kernel");
}

Dispatcher::Guard::Guard(Dispatcher& dispatcher, KeySet include, KeySet exclude)
    : dispatcher_(dispatcher), included_(dispatcher.included_), excluded_(dispatcher.excluded_) {
  dispatcher.included_ = included_ | include;
  dispatcher.excluded_ = excluded_ | exclude;
}

Dispatcher::Guard::~Guard() {
  dispatcher_.included_ = included_;
  dispatcher_.excluded_ = excluded_;
}

void Dispatcher::set_memory(Memory& memory) { memories_[static_cast<std::size_t>(memory.device())] = &memory; }

Memory& Dispatcher::memory(DeviceKind device) const {
  Memory* const memory = memories_[static_cast<std::size_t>(device)];
  if (memory == nullptr)
    throw OpError(fmt::format("{} is not available here: create the tensor on another device", name_of(device)));
  return *memory;
}

}  // namespace warpwalk::ops
