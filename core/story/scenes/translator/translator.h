#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/facts/dispatch_keys.h"
#include "core/story/facts/kernel_name.h"
#include "core/story/scenes/translator/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// What an entry of the chain of ops is, by its name.
enum class CallKind : unsigned char {
  op,        ///< goes through the dispatcher: aten::mm
  backward,  ///< a node of the backward pass, which calls ops: MmBackward0
  range,     ///< a stretch of time that PyTorch names, no call of its own
};
CallKind call_kind(std::string_view name);

/// What one op of the chain decides, as the records of it and of the next show.
enum class Decision : unsigned char {
  backward,
  range,
  composite,  ///< takes itself apart into other ops, and leaves autograd to them
  through,    ///< autograd first, then its own function, which calls the next op
  calls,      ///< calls the next op
  launches,   ///< its function orders the GPU work
  quiet,      ///< orders none
};
Decision decision_of(const Trace& trace, const Walk& walk, std::size_t index);

/// What the trace and the person say of the call that has the kernel.
struct Call {
  SliceId op = no_slice;      ///< the innermost op of the walk that goes through the dispatcher; none: no dispatch
  SliceId parent = no_slice;  ///< the op that called it
  KeyQuestion recorded;       ///< as derived from the records
  KeyQuestion asked;          ///< with what the person set
  bool set = false;           ///< anything was set
  const trace::DispatchRecord* dispatch = nullptr;  ///< the recorded steps; null where there are none
  std::string dtype;                                ///< of the first tensor, as PyTorch calls it; empty: not recorded
  std::string asked_dtype;
  bool layout_recorded = false;
};
Call call_of(const SceneInput& input);

/// The rows of the call's table: recorded where they are and nothing is set, else derived.
std::vector<KeyRow> rows_of(const Call& call, const Trace& trace);

/// The key at which the op ends; two where the trace does not say which of them.
std::string end_of(const std::vector<KeyRow>& rows);

/// Whether the function at the end computes, so that the dtype picks an instance of it: not where it only copies,
/// fills, makes a view or calls other ops.
bool picks_instance(const SceneInput& input, const Call& call, const std::vector<KeyRow>& rows);

/// The controls of the table; those that `shown` does not name are hidden ones.
std::vector<Control> key_controls(const SceneInput& input, const Call& call, std::string_view scene, bool with_dtype);

/// What the name of the kernel says against what its launch records.
struct TileCheck {
  std::int64_t m = 0, n = 0;          ///< the result's size, by the op's inputs
  std::int64_t across = 0, down = 0;  ///< blocks by the tile
  std::int64_t grid = 0;              ///< blocks launched
  bool agrees() const { return across * down == grid; }
  /// How often the tiles fit into the grid; 0 where they do not.
  std::int64_t times() const { return across * down > 0 && grid % (across * down) == 0 ? grid / (across * down) : 0; }
};
std::optional<TileCheck> tile_check(const Trace& trace, const Walk& walk, const Call& call, const KernelName& name);
/// Elements that each thread has on average, for a kernel that goes over a tensor once; 0 where not known.
std::int64_t elements_a_thread(const Trace& trace, const Walk& walk, const Call& call, const KernelName& name);

/// The numbers of each tensor's shape in "Input Dims"; lists of tensors and scalars are empty.
std::vector<std::vector<std::int64_t>> shapes_in(std::string_view input_dims);
/// The type names in "Input type".
std::vector<std::string> types_in(std::string_view input_types);
/// "c10::BFloat16" -> "bfloat16"; unknown ones as they are.
std::string dtype_named(std::string_view type);

/// Whether the code on show is a stand-in's, since the trace has none of the kernel.
bool code_is_stand_ins(const SceneInput& input);

/// The module of the kernel; null where the trace has none.
const trace::Module* module_of(const Trace& trace, const Walk& walk);
/// What the followed kernel's source says of itself: the first paragraph of the comment that it begins with, at most
/// 200 bytes; empty where there is none.
std::string about_kernel(const Trace& trace, const Walk& walk);

// The panes of the picture, each at a phase of its own beat.
OpsPane ops_pane(const SceneInput& input, double phase);
KeysPane keys_pane(const SceneInput& input, const Call& call, double phase, bool functions);
NamePane name_pane(const SceneInput& input, const Call& call, const KernelName& name, double phase);
OrderPane order_pane(const SceneInput& input, double phase);
/// As if its light had gone all the way; the beat says how far it is.
CodePicture code_pane(const SceneInput& input);

/// What a stage is told from, read once.
struct Told {
  Call call;
  KernelName name;
  std::vector<KeyRow> rows;
  std::optional<CodePicture> code;  ///< in the beat that shows it
};

/// Adds what a beat tells and what it cannot.
void translator_facts(const SceneInput& input, const Told& told, std::string_view beat, const Narration::Values& values,
                      Stage& stage);

/// The words of an effect, a decision ...: [translator.KIND] KEY.
std::string translator_word(const SceneInput& input, std::string_view kind, std::string_view key,
                            const Narration::Values& values = {});

}  // namespace warpwalk::story
