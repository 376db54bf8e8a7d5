#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::story {

// The dispatcher of PyTorch, as far as one op needs it. Order and meaning of the keys are those of PyTorch's
// c10/core/DispatchKey.h; how a set comes about those of ATen/core/dispatch/DispatchKeyExtractor.h:
// ((keys of the tensors | added by the thread) - removed by the thread), keys without a function skipped.

enum class KeyBackend : unsigned char { cuda, cpu, both, unknown };
enum class KeyLayout : unsigned char { strided, coo, csr, unknown };
enum class KeyMode : unsigned char {
  grad,       ///< as usual: autograd is on
  no_grad,    ///< gradients are off: the keys are the same, and autograd's function records nothing
  inference,  ///< inference mode: no autograd keys at all
  autocast,   ///< autograd and autocast are on
  nested,     ///< called from inside another op's kernel: autograd had its turn there
  unknown,    ///< without a sequence number on record: no_grad, inference or nested
};

/// What decides the keys of one call.
struct KeyQuestion {
  KeyBackend backend = KeyBackend::cuda;
  KeyLayout layout = KeyLayout::strided;
  KeyMode mode = KeyMode::grad;
};

/// How the functions of an op are entered in its table.
enum class OpKind : unsigned char {
  backends,   ///< a function for each backend
  composite,  ///< one function for all, made of other ops; autograd is left to those (CompositeImplicitAutograd)
};

/// What PyTorch registers for an op, where warpwalk knows it (aten/src/ATen/native/native_functions.yaml). An empty
/// text is not known, not absent.
struct OpEntry {
  std::string_view name;  ///< without "aten::"
  OpKind kind = OpKind::backends;
  std::string_view cuda;
  std::string_view cpu;
  std::string_view sparse_cuda;
  std::string_view sparse_cpu;
  std::string_view csr;
  bool lower_precision = false;  ///< autocast casts its inputs to a lower precision
};
/// The entry of "aten::mm"; null where warpwalk does not know it.
const OpEntry* op_entry(std::string_view op);
/// Works in place, or returns a view: those have a function under ADInplaceOrView.
bool in_place_or_view(std::string_view op);
/// Returns a view of its input, or changes only sizes and strides: nothing is computed on any device.
bool is_view(std::string_view op);
/// Makes a tensor without being given one: those have a function under BackendSelect.
bool is_factory(std::string_view op);

enum class Bit : unsigned char { off, on, maybe };

/// What happens at a key that is in the set.
enum class KeyEffect : unsigned char {
  none,        ///< not in the set
  skipped,     ///< in the set, but the op has no function there
  casts,       ///< casts the inputs, then goes on without this key
  records,     ///< autograd's function, then goes on without this key
  marks,       ///< the version counter or the view is noted, then goes on
  selects,     ///< the backend of a tensor that is to be made is found
  composite,   ///< the function is made of other ops: this op ends here
  kernel,      ///< the backend's function: this op ends here
  redispatch,  ///< a recorded step that goes on without this key
  perhaps,     ///< called only if the key is there, which the trace does not say
  below,       ///< lower than the one at which the op ended
};

/// One row of the table, for one key.
struct KeyRow {
  std::string key;
  Bit tensors = Bit::off;
  Bit adds = Bit::off;
  Bit removes = Bit::off;
  Bit set = Bit::off;
  KeyEffect effect = KeyEffect::none;
  int turn = 0;          ///< 1 the first function called, 2 the next; 0: not called
  std::string function;  ///< as registered; empty where not known
};

/// All rows, highest first, for one op.
std::vector<KeyRow> key_table(const KeyQuestion& question, std::string_view op);
/// The row whose function is called first, or rows.size().
std::size_t first_turn(const std::vector<KeyRow>& rows);
/// The row at which the op ends, or rows.size().
std::size_t last_turn(const std::vector<KeyRow>& rows);

}  // namespace warpwalk::story
