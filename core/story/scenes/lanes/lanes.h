#pragma once

// The parts of the scene "lanes": one instruction of one warp, its picture, errors, the op that follows, and the
// questions.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/history/mma_operands.h"
#include "core/gpu/history/writer/who_wrote.h"
#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/simulated/followed_sm.h"
#include "core/story/facts/words/ask.h"
#include "core/story/pictures/panels.h"
#include "core/story/pictures/table.h"
#include "core/story/pictures/warp.h"
#include "core/story/scenes/lanes/asked_control.h"
#include "core/story/stage/scene.h"

namespace warpwalk::run {
struct TimedWriter;
}  // namespace warpwalk::run

namespace warpwalk::story {

/// The memory that the followed instruction accesses.
enum class LanesAccess : std::uint8_t { none, global, shared, local };

/// The place of an error of the kernel.
struct ErrorPlace {
  std::uint16_t sm = 0;
  gpu::WarpPlace warp = {};
  std::int64_t cycle = 0;  ///< in which the instruction is issued
  int lane = 0;            ///< of the thread that the finding names
};

/// The value that a person asks about, "who wrote this?", and the answer.
struct AskedValue {
  int kind = AskedAbout::nothing;
  int lane = 0;
  gpu::WriterQuestion question = {};
  std::string name = {};                                ///< "R4 of lane 3"
  std::shared_ptr<const run::TimedWriter> answer = {};  ///< null: `no_answer` says why
  std::string no_answer = {};
};

/// One instruction that a warp issued, and the warp before and after it.
struct LanesSubject {
  run::TimeTravel& travel;
  const run::History& history;
  ControlSet controls;
  std::uint16_t sm = 0;
  std::int64_t end = 0;  ///< cycles of the SM
  std::uint16_t slot = 0;
  std::shared_ptr<const gpu::SmWindow> window = {};  ///< that has the issue
  bool present = true;     ///< false: the launch has nothing that the beat is about; another instruction is shown
  bool elsewhere = false;  ///< no warp of the followed SM diverges: this is another SM
  const gpu::Issue* issue = nullptr;  ///< null: the warp issues nothing near the cycle
  InstructionText text = {};          ///< of the instruction
  std::shared_ptr<const run::SmMoment> before = {}, after = {};
  const gpu::Warp* warp_before = nullptr;
  const gpu::Warp* warp_after = nullptr;           ///< null if the warp ended
  std::optional<std::int64_t> result = {};         ///< the cycle in which the loaded value came back, or the copied
  std::vector<const gpu::Issue*> neighbours = {};  ///< issues of the same warp around it, ascending; itself included
  const gpu::LoggedAccess* access = nullptr;       ///< the memory access; null if it makes none
  bool copies = false;                             ///< LDGSTS: from global to shared memory, past the registers
  std::vector<gpu::RequestTrip> trips = {};        ///< of the lines that a load asked for and L1 did not have, by line
  std::optional<gpu::MmaOperands> product = {};    ///< of a tensor-core instruction
  int lane = 0;                                    ///< whose elements of the matrices are marked
  std::optional<ErrorPlace> error = {};            ///< in the beat about errors, if there is one
  std::optional<AskedValue> asked = {};            ///< in the beat about any cycle, if a person asks about a value
  LanesAccess space() const;
  /// The instruction is the one of the error.
  bool shows_error() const {
    return error && issue != nullptr && issue->what.cycle == error->cycle && issue->what.warp == error->warp;
  }
};

/// The history has cycles.
LanesSubject lanes_subject(const SceneInput& input, std::string_view beat);

/// A register of the followed instruction, for 32 lanes.
struct LaneRegister {
  std::string name;  ///< "R4", "P0"
  bool written = false;
  std::array<std::string, 32> values;  ///< read: before the instruction; written: after it
};

/// The registers that the instruction reads, then those that it writes, at most three of each, beside an address two.
/// Empty without machine code: the registers of PTX are not those of the hardware.
std::vector<LaneRegister> lane_registers(const LanesSubject& subject);

/// A register of one lane after the followed instruction.
struct LaneValue {
  std::string name, value;
  bool read = false, written = false;  ///< by the instruction, if the lane executes it
};

/// The general registers that the instruction and those around it use, as one lane has them after the instruction.
/// Empty without machine code.
std::vector<LaneValue> registers_of_lane(const LanesSubject& subject, std::size_t lane);

/// The picture of the instruction for all 32 lanes, or of what the beat is about.
Panels lanes_picture(const SceneInput& input, LanesSubject& subject, std::string_view beat);

/// What the 32 lanes read, the lines or banks that they access, and their results.
WarpPicture warp_picture(const SceneInput& input, const LanesSubject& subject);

/// The lane that stores the followed number, if it belongs to the warp that is shown.
std::optional<int> number_lane(const SceneInput& input, const LanesSubject& subject);

/// "x" of "buffer `x`", else the name itself.
std::string buffer_name(const std::string& name);

/// Where the subject's access goes: "+136" from the start of the buffer, or of the nearest one that another lane is in;
/// in shared and local memory "0x440", the offset.
std::string access_address_text(const LanesSubject& subject, std::uint64_t address);

/// "0-7, 16": lanes in ascending order; "-" without any.
std::string ranges_text(const std::vector<int>& lanes);

/// The sectors and lines of an access to global memory.
struct LanesFold {
  int lines = 0, sectors = 0;
  std::int64_t bytes_used = 0;  ///< distinct bytes that the lanes ask for
};
LanesFold fold_of(const gpu::LoggedAccess& access);

/// The lanes of an access to shared memory that are served together, a mask for each group: all 32, or the halves or
/// quarters of the warp if a lane accesses 8 or 16 bytes. Each group takes wavefronts of its own.
std::vector<std::uint32_t> lane_groups(const gpu::LoggedAccess& access);

/// The first error that was found in the launch; null if there is none.
const gpu::Finding* first_error(const run::History& history);

/// The place of an error: the first time that its thread's warp issues an instruction of its line, preferably one that
/// accesses memory. None if that is not in the cycles that are simulated.
std::optional<ErrorPlace> place_of_error(run::TimeTravel& travel, const run::History& history,
                                         const gpu::Finding& finding);

/// Whether the subject's instruction, which belongs to the warp and the line of an error, is the one that makes it: the
/// lane executes it and, if the error has an address, accesses that.
bool makes_error(const LanesSubject& subject, const gpu::Finding& finding);

/// The section of the narration for the beat about errors: by the kind of error, or why none is shown.
std::string error_section(const LanesSubject& subject);

/// Sets LanesSubject::asked from the controls, and adds these. `only_buffer`: only if the question is about a byte of a
/// buffer as the launch leaves it, before an instruction is chosen; else only if it is about another value.
void answer_asked(const SceneInput& input, LanesSubject& subject, bool only_buffer);
/// The section of the narration for the answer, its values, and the table of what the value was computed from.
std::string asked_section(const LanesSubject& subject);
void add_asked_values(const SceneInput& input, LanesSubject& subject, Narration::Values& values);
Panel asked_table(const SceneInput& input, LanesSubject& subject);

/// Other accesses to the bytes that the subject's lane accesses, before and after it: by its block in shared memory, by
/// its SM in global memory.
TablePicture accesses_table(const SceneInput& input, const LanesSubject& subject);

/// The followed number as it grows (facts/simulated/followed_number.h): the sum after each product, and the way of the
/// numbers that are multiplied.
Stage sum_stage(const SceneInput& input, std::vector<Beat> beats, Narration::Values values);

/// The relu that follows a matrix product in its line, and the elements that each of its lanes has.
struct NextOp {
  SliceId op = no_slice;
  SliceId kernel = no_slice;
  std::int64_t width = 1;              ///< elements per lane and load
  std::int64_t rows = 0, columns = 0;  ///< of the product

  std::int64_t warps() const { return (rows * columns + 32 * width - 1) / (32 * width); }
};

/// Nullopt unless the walk follows a product whose elements are known, the next op of its line is relu, and the code or
/// the name of relu's kernel says which elements a lane takes.
std::optional<NextOp> next_op(const Trace& trace, const Walk& walk);

/// The 32 lanes of a warp of relu's kernel: each keeps its element of the product, or writes 0.
Stage next_op_stage(const SceneInput& input, const std::vector<Beat>& beats, Narration::Values values);

/// The question of a beat about its instruction; none if it has none, or if the launch lacks what it is about.
std::optional<Ask> lanes_question(const SceneInput& input, const LanesSubject& subject, std::string_view beat);

}  // namespace warpwalk::story
