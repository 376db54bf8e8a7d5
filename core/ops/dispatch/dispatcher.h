#pragma once

// This folder has dispatch keys, the dispatcher, autograd's tape and the caching allocator. The ops are defined in
// core/ops/definitions.

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ops/dispatch/keys.h"
#include "core/ops/dispatch/observer.h"
#include "core/ops/tensor/error.h"

namespace warpwalk::ops {

/// Python's None: an optional argument that was not given.
struct None {
  bool operator==(const None&) const = default;
};
/// A Python number keeps whether it was written as a whole number: 2 and 2.0 promote differently.
using Number = std::variant<std::int64_t, double>;
/// One argument of an op. Text: one of the words that an op's schema lists ("tanh" for gelu's approximate).
using Argument = std::variant<None, Tensor, std::int64_t, double, bool, Sizes, DType, std::string>;

class Dispatcher;
struct Operator;

/// A call on its way through the dispatcher.
struct Call {
  const Operator* op = nullptr;
  std::vector<Argument> arguments;
  /// The keys still to be visited: the keys of the tensors and of the caller's state, without those already passed.
  /// Inside a function, the highest key is the function's own.
  KeySet keys;

  std::string_view name() const;                     ///< "aten::mm"
  const Tensor& tensor(std::size_t argument) const;  ///< throws OpError if it is none
  std::int64_t integer(std::size_t argument) const;  ///< the same
  Number number(std::size_t argument) const;         ///< the same
  const Sizes& sizes(std::size_t argument) const;    ///< the same
  DType dtype(std::size_t argument) const;           ///< the same
  bool given(std::size_t argument) const;            ///< there, and not None
  /// Of an argument that may be left out or None. Throws OpError if it is something else.
  std::optional<std::int64_t> optional_integer(std::size_t argument) const;
  bool flag(std::size_t argument) const;  ///< false if left out
  /// Empty if left out.
  std::string_view text(std::size_t argument) const;
};

/// "aten::sum" of "aten::sum.dim_IntList".
constexpr std::string_view without_overload(std::string_view op) { return op.substr(0, op.find('.')); }

/// Every op gives one tensor (those in place: their first argument).
using Function = std::function<Tensor(Dispatcher&, const Call&)>;

/// An entry of an op's row of the dispatch table, for one key.
struct Registration {
  enum class Kind : std::uint8_t {
    none,
    kernel,       ///< computes: the op ends here
    redispatch,   ///< does its part (autograd, autocast) and calls the dispatcher again with the keys below
    fallthrough,  ///< passed over without a call
  };
  Kind kind = Kind::none;
  std::string name;  ///< of the function, as a person would look for it: "AutogradCUDA: mm -> MmBackward0"
  Function function;
};

struct Operator {
  std::string name;    ///< "aten::mm"
  std::string schema;  ///< "mm(Tensor self, Tensor mat2) -> Tensor", as in PyTorch if it has the op
  std::array<Registration, key_count> table;
  /// Used if no backend has a function: calls other ops, and each is dispatched separately (CompositeImplicitAutograd:
  /// those ops do their own autograd, so this function replaces both the autograd and the backend functions).
  std::optional<Registration> composite;
  /// One function for all dense backends, below autograd (CompositeExplicitAutograd): views.
  std::optional<Registration> any_backend;
};

/// The table of ops, and the way a call takes through it. Not for several threads at once.
class Dispatcher {
 public:
  /// Keys other than the backends' start with a fallthrough for every op.
  explicit Dispatcher(Observer* observer = nullptr);

  Operator& define(std::string_view name, std::string_view schema);
  void add(std::string_view op, Key key, Registration::Kind kind, std::string name, Function function);
  void add_composite(std::string_view op, std::string name, Function function);
  void add_any_backend(std::string_view op, std::string name, Function function);
  /// For every op that has nothing of its own there (PyTorch's _ registrations).
  void add_fallback(Key key, Registration registration);
  const Operator* find(std::string_view op) const;
  const std::map<std::string, Operator, std::less<>>& operators() const { return operators_; }
  /// The entry of an op's row for a key, as a call finds it: the op's own, one for all backends, its composite, or the
  /// key's fallback.
  const Registration& at(const Operator& op, Key key) const;

  /// Calls an op: the keys of all tensor arguments and of the caller's state make the set, the highest key with a
  /// function wins. Every key looked at is reported to the observer. Throws OpError (no such op, no function for the
  /// keys: says which backends have one).
  Tensor call(std::string_view op, std::vector<Argument> arguments);
  /// For a function of kind redispatch: continues with these keys, within the same op.
  Tensor redispatch(const Call& call, KeySet keys);
  /// For a backend's function, whose second level is a choice by element type: reports one more step at the
  /// backend's key, with the instance taken: chose(DType::f32, "relu") is "relu<f32>".
  void chose(DType dtype, std::string_view function);

  /// Keys that the caller's state adds to and takes from every call, until the guard is destroyed.
  class Guard {
   public:
    Guard(Dispatcher& dispatcher, KeySet include, KeySet exclude);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    Dispatcher& dispatcher_;
    KeySet included_, excluded_;
  };

  Observer* observer() const { return observer_; }
  /// The number that the next node of the tape gets; counts from 0, as at::sequence_number of one thread.
  std::int64_t next_sequence() const { return next_sequence_; }
  std::int64_t take_sequence() { return next_sequence_++; }
  bool grad_enabled() const { return grad_enabled_; }
  void set_grad_enabled(bool on) { grad_enabled_ = on; }
  /// The memory in which ops without tensors (factories) and results on this device are made. Not owned.
  void set_memory(Memory& memory);
  Memory& memory(DeviceKind device) const;  ///< throws OpError if there is none

 private:
  /// The position of the innermost op; chose() reports about it.
  struct Frame {
    Key key = Key::CPU;
    KeySet keys;
  };

  Tensor run(const Call& call);
  void report(Key key, KeySet keys, const std::string& function, std::string_view effect) const;

  Observer* observer_ = nullptr;
  std::map<std::string, Operator, std::less<>> operators_;
  std::array<Registration, key_count> fallbacks_;
  /// PyTorch's default_included_set: the keys that every call has, independent of its tensors.
  KeySet included_ = KeySet(Key::BackendSelect) | KeySet(Key::ADInplaceOrView);
  KeySet excluded_;
  std::vector<Frame> frames_;
  std::int64_t next_sequence_ = 0;
  bool grad_enabled_ = true;
  std::array<Memory*, 2> memories_{};
};

}  // namespace warpwalk::ops
