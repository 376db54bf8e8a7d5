#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::story {

// PyTorch's dispatcher, as far as one op needs it. The order and meaning of the keys are those of
// c10/core/DispatchKey.h. A key set is computed as in ATen/core/dispatch/DispatchKeyExtractor.h: ((keys of the tensors
// | added by the thread) - removed by the thread), skipping keys without a function.

enum class KeyBackend : unsigned char { cuda, cpu, both, unknown };
enum class KeyLayout : unsigned char { strided, coo, csr, unknown };
enum class KeyMode : unsigned char {
  grad,       ///< as usual: autograd is on
  no_grad,    ///< gradients are off: the keys are the same, and autograd's function records nothing
  inference,  ///< inference mode: without autograd keys
  autocast,   ///< autograd and autocast are on
  nested,     ///< called from inside another op's kernel, after autograd ran
  unknown,    ///< the trace lacks a sequence number: no_grad, inference or nested
};

/// The inputs that decide the keys of one call.
struct KeyQuestion {
  KeyBackend backend = KeyBackend::cuda;
  KeyLayout layout = KeyLayout::strided;
  KeyMode mode = KeyMode::grad;
};

/// How an op's functions are registered in its table.
enum class OpKind : unsigned char {
  backends,   ///< a function for each backend
  composite,  ///< one function for all keys, which calls other ops and leaves autograd to them
              ///< (CompositeImplicitAutograd)
};

/// The functions that PyTorch registers for an op, if warpwalk knows it (aten/src/ATen/native/native_functions.yaml).
/// An empty text is not known; the function may exist.
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
/// The entry of an op such as "aten::mm"; null if warpwalk does not know it.
const OpEntry* op_entry(std::string_view op);
/// Whether the op works in place or returns a view: those have a function under ADInplaceOrView.
bool in_place_or_view(std::string_view op);
/// Whether the op returns a view or changes only sizes and strides: nothing is computed on any device.
bool is_view(std::string_view op);
/// Whether the op creates a tensor without an input tensor: those have a function under BackendSelect.
bool is_factory(std::string_view op);

/// Whether the op's CUDA kernels exist for floating-point types only, or compute in one: such an op has no instance for
/// int64. Examples: mm ("addmm_cuda" not implemented for 'Long'), softmax, gelu.
bool is_floating_only(std::string_view op);

enum class Bit : unsigned char { off, on, maybe };

/// The effect of a key.
enum class KeyEffect : unsigned char {
  none,        ///< not in the set
  skipped,     ///< in the set, but the op lacks a function for it
  casts,       ///< casts the inputs, then calls on without this key
  records,     ///< autograd's function, then calls on without this key
  marks,       ///< updates the version counter or notes the view, then calls on
  selects,     ///< selects the backend of the tensor to create
  composite,   ///< the function calls other ops: this op ends here
  kernel,      ///< the backend's function: this op ends here
  redispatch,  ///< a recorded step that calls on without this key
  perhaps,     ///< called only if the key is there, which the trace does not say
  below,       ///< below the key at which the op ended
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
  std::string function;  ///< as registered; empty if not known
};

/// All rows of one op, the highest key first.
std::vector<KeyRow> key_table(const KeyQuestion& question, std::string_view op);
/// The row whose function is called first, or rows.size().
std::size_t first_turn(const std::vector<KeyRow>& rows);
/// The row at which the op ends, or rows.size().
std::size_t last_turn(const std::vector<KeyRow>& rows);

}  // namespace warpwalk::story
