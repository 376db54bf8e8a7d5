#pragma once

// The parts of the scene "translator": the call and its kernel as the trace and the controls give them, the picture's
// panes, and the facts. The types of the panes are those of picture.h and instruction_picture.h, which painters read.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/names/kernel_name.h"
#include "core/run/launch/line_costs.h"
#include "core/story/beats/beat_of.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/code/decoded_kernel.h"
#include "core/story/facts/code/dispatch_keys.h"
#include "core/story/facts/code/dispatched_call.h"
#include "core/story/facts/code/linked_code.h"
#include "core/story/scenes/translator/instruction_picture.h"
#include "core/story/scenes/translator/picture.h"
#include "core/story/stage/scene.h"
#include "core/trace/trace.h"

namespace warpwalk::story {

/// The call that launches the kernel, from the trace and the controls.
Call call_of(const SceneInput& input);

/// Whether the function at the end computes, so that the dtype selects an instance of it. False if it only copies,
/// fills, makes a view or calls other ops.
bool picks_instance(const SceneInput& input, const Call& call, const std::vector<KeyRow>& rows);

/// The dtypes for which PyTorch has an instance of the op's function, of those that the control offers.
std::vector<std::string> instance_dtypes(std::string_view op);

/// Whether the innermost op is a kernel that torch.compile generated: then the op has the kernel's own name, and its
/// launch does not go through the dispatcher.
bool is_compiled(const Trace& trace, const Walk& walk);

/// In keys of texts, what the GPU work is if it is no kernel: "copy" or "fill"; empty for a kernel.
std::string_view work_suffix(const Trace& trace, const Walk& walk);

/// The controls of the table; those that are not shown in `scene` are hidden ones.
std::vector<Control> key_controls(const SceneInput& input, const Call& call, std::string_view scene, bool with_dtype);

/// The tile in the kernel's name, checked against the recorded launch.
struct TileCheck {
  std::int64_t m = 0, n = 0;          ///< size of the result, from the op's inputs
  std::int64_t across = 0, down = 0;  ///< blocks that these tiles need
  std::int64_t grid = 0;              ///< blocks launched
  bool agrees() const { return across * down == grid; }
  /// How many times the tiles fit into the grid; 0 if it is not a whole number.
  std::int64_t times() const { return across * down > 0 && grid % (across * down) == 0 ? grid / (across * down) : 0; }
};
std::optional<TileCheck> tile_check(const Trace& trace, const Walk& walk, const Call& call,
                                    const analysis::KernelName& name);
/// Elements per thread, on average, of a kernel that goes over a tensor once; 0 if not known.
std::int64_t elements_a_thread(const Trace& trace, const Walk& walk, const Call& call,
                               const analysis::KernelName& name);

/// Whether the code shown is a stand-in's, because the trace lacks the kernel's code.
bool code_is_stand_ins(const SceneInput& input);

/// Whether the module has machine code, as a text or as a cubin.
bool has_machine_code(const trace::Module& module);
/// The first paragraph of the comment at the start of the kernel's source, at most 200 bytes; empty if there is none.
std::string about_kernel(const Trace& trace, const Walk& walk);

/// What each line of the followed kernel cost in its simulated launch.
struct CostedLines {
  LinesPane pane;
  std::vector<Control> controls;  ///< text, metric and rank
  run::LineCosts total;           ///< of the launch
  bool cut = false;               ///< only its first cycles were simulated
  double cycles = 0;              ///< that were simulated
  std::string line;               ///< the chosen line, or the address of the instruction
  std::string metric;             ///< by which lines are ranked
  double percent = 0;             ///< the chosen line's share of it
};
/// nullopt if the kernel's own cycles were not simulated, or if its code is not in the trace.
std::optional<CostedLines> costed_lines(const SceneInput& input);

/// The subject of the translator's beats.
struct TranslatorSubject {
  const Here& here;
  const SceneInput& input;
  Call call;
  analysis::KernelName name;
  std::vector<KeyRow> rows;
  std::optional<CodePicture> code;             ///< in the beats about code
  std::optional<InstructionPane> instruction;  ///< in its beat, and while it fades out in the next one
  std::optional<CostedLines> lines;            ///< in their beat

  const Trace& trace() const { return input.trace; }
  const Walk& walk() const { return input.walk; }
};

/// A beat's pane, which opens out of a station of the way.
struct TranslatorPane {
  double station = 0;
  /// Puts it into the picture; `phase` is that of its own motion, and `shown` is 0 until it appears.
  void (*put)(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture) = nullptr;
  bool stays = false;  ///< it is the pane of the beat before, which goes on
};
using TranslatorBeat = BeatOf<TranslatorSubject, TranslatorPane>;
constexpr double pane_fades_out = 0.15;  ///< phase of a beat at which the pane of the beat before it is gone

/// The way with its packet, and the beat's pane.
void way_picture(const TranslatorSubject& s, Stage& stage);
// The panes of the beats: TranslatorPane::put.
void put_ops(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture);
void put_keys(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture);
void put_row(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture);
void put_name(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture);
void put_order(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture);
void put_code(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture);
void put_instruction(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture);
void put_lines(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture);

/// The picture before the answer about the keys: that of the beat before, without the key.
void picture_without_keys(const TranslatorSubject& s, Stage& stage);

void op_facts(const TranslatorSubject& s, FactWriter& facts);
void keys_facts(const TranslatorSubject& s, FactWriter& facts);
void row_facts(const TranslatorSubject& s, FactWriter& facts);
void name_facts(const TranslatorSubject& s, FactWriter& facts);
void order_facts(const TranslatorSubject& s, FactWriter& facts);
void code_facts(const TranslatorSubject& s, FactWriter& facts);
void instruction_facts(const TranslatorSubject& s, FactWriter& facts);
void lines_facts(const TranslatorSubject& s, FactWriter& facts);

/// A text of the narration under [translator.KIND].
std::string translator_word(const SceneInput& input, std::string_view kind, std::string_view key,
                            const Narration::Values& values = {});

/// The decision of one op of the chain, as its record and the record of the next op show.
enum class Decision : unsigned char {
  backward,
  range,
  composite,  ///< calls other ops, which go through autograd themselves
  through,    ///< autograd first, then its own function, which calls the next op
  calls,      ///< calls the next op
  launches,   ///< its function launches the GPU work
  quiet,      ///< launches nothing
};
Decision decision_of(const Trace& trace, const Walk& walk, std::size_t index);

/// The value of a kernel argument: a number, the name of an allocation, or an address.
std::string argument_text(const trace::Trace& trace, const trace::KernelArgument& argument);

/// The same with the address of a pointer, if it is known: "a, 0x7f0000000000".
std::string argument_text_with_address(const trace::Trace& trace, const trace::KernelArgument& argument);

// The panes of the picture, each at a phase of its own beat.
OpsPane ops_pane(const SceneInput& input, double phase);
KeysPane keys_pane(const SceneInput& input, const Call& call, double phase, bool functions);
NamePane name_pane(const SceneInput& input, const Call& call, const analysis::KernelName& name, double phase);
OrderPane order_pane(const SceneInput& input, double phase);
/// At the end of its motion; the beat sets how far the motion is.
CodePicture code_pane(const SceneInput& input);

/// The constants that the kernel's code reads from bank 0, with the values of this launch, and the parameters.
/// `selected`: the instruction whose constants are marked as read; constants of other banks are added for it.
std::vector<InstructionPane::Constant> constant_bank(const SceneInput& input, const DecodedKernel& kernel,
                                                     std::size_t selected);

/// One instruction of the followed kernel among its neighbours: the one that the person chose, else one that waits for
/// a barrier, of the source line with the most instructions. Says why if the code cannot be decoded.
InstructionPane instruction_pane(const SceneInput& input);

/// The code of the instruction beat and of its facts; nullopt if the module has no cubin that can be read.
std::optional<DecodedKernel> followed_code(const SceneInput& input);

}  // namespace warpwalk::story
