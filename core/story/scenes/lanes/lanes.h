#pragma once

// The parts of the scene "lanes": one instruction of one warp, its picture, errors, the op that follows, and the
// questions.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/history/mma_operands.h"
#include "core/gpu/history/writer/who_wrote.h"
#include "core/story/beats/beat_of.h"
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

struct LanesSubject;

/// How the issue is found that a beat is about.
struct LanesSearch {
  /// How well an issue of the subject's window shows what the beat is about; 0: not at all.
  int (*worth)(const LanesSubject&, std::size_t issue);
  int enough;           ///< nothing better is looked for
  bool varied = false;  ///< the lanes write different values, if there is such an issue; computed from data if possible
};
int worth_as_arithmetic(const LanesSubject& subject, std::size_t issue);
int worth_as_global_load(const LanesSubject& subject, std::size_t issue);
/// By the passes that an access to shared memory takes.
int worth_by_wavefronts(const LanesSubject& subject, std::size_t issue);
/// For fewer lanes than the warp has: an issue that computes or accesses memory rather than another that works, and
/// that rather than one that brings lanes together.
int worth_as_divergent(const LanesSubject& subject, std::size_t issue);
constexpr LanesSearch for_arithmetic = {worth_as_arithmetic, 5, true}, for_global_load = {worth_as_global_load, 1},
                      for_wavefronts = {worth_by_wavefronts, std::numeric_limits<int>::max()},
                      for_divergence = {worth_as_divergent, 3};

/// What only the beats about an instruction say of themselves.
struct LanesView {
  LanesSearch search = for_global_load;
  bool seeks_sm = false;         ///< on another SM if the followed one has no such issue
  bool seeks_error = false;      ///< the instruction of the first error, if there is one
  bool any_instruction = false;  ///< whatever the warp issues, and who wrote the value that a person asks about
  bool tells_return = true;      ///< the facts have the cycle in which its result comes back
};

/// One instruction that a warp issued, and the warp before and after it.
struct LanesSubject {
  const SceneInput& input;
  const LanesView& view;
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
  Narration::Values values = {};                   ///< for the sentences and facts of a beat

  LanesAccess space() const;
  /// It shows what the beat is about.
  bool found() const { return issue != nullptr && present; }
  /// The instruction is the one of the error.
  bool shows_error() const {
    return error && issue != nullptr && issue->what.cycle == error->cycle && issue->what.warp == error->warp;
  }
};

using LanesBeat = BeatOf<LanesSubject, LanesView>;

/// The issue that is looked for in the subject's window: of the warp in the slot, else of the followed warp, else of
/// the followed block's other warps, else of any warp. Null if there is none.
const gpu::Issue* followed_issue(const LanesSearch& search, const LanesSubject& subject, const BlockOnSm& followed,
                                 std::optional<double> slot);

/// The history has cycles. `view` outlives the subject.
LanesSubject lanes_subject(const SceneInput& input, const LanesView& view);

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

/// The instruction for all 32 lanes and the code around it; for one of tensor cores, its matrices.
PanelRows lanes_panels(const LanesSubject& subject);
/// Its way to memory and back, if it makes one.
PanelRows trip_panels(const LanesSubject& subject);
/// The active lanes of the instructions around it.
PanelRows diverge_panels(const LanesSubject& subject);
/// The lane that makes an error among the others.
PanelRows error_panels(const LanesSubject& subject);
/// With the registers of a lane, or with the answer to what a person asks.
PanelRows any_panels(const LanesSubject& subject);

/// What the 32 lanes read, the lines or banks that they access, and their results.
WarpPicture warp_picture(const LanesSubject& subject);

/// The lane that stores the followed number, if it belongs to the warp that is shown.
std::optional<int> number_lane(const LanesSubject& subject);

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
void answer_asked(LanesSubject& subject, bool only_buffer);
/// The section of the narration for the answer, its values, and the table of what the value was computed from.
std::string asked_section(const LanesSubject& subject);
void add_asked_values(const LanesSubject& subject, Narration::Values& values);
Panel asked_table(const LanesSubject& subject);

/// Other accesses to the bytes that the subject's lane accesses, before and after it: by its block in shared memory, by
/// its SM in global memory.
TablePicture accesses_table(const LanesSubject& subject);

/// The beat about the followed number as it grows (facts/simulated/followed_number.h): the sum after each product, and
/// the way of the numbers that are multiplied.
std::shared_ptr<const AnyBeat> sum_beat();

/// The beat about the 32 lanes of a warp of relu's kernel: each keeps its element of the product, or writes 0.
std::shared_ptr<const AnyBeat> next_op_beat();

/// The question of each beat about its instruction; none if the launch lacks what it is about.
std::optional<Ask> lanes_question(const LanesSubject& subject);
std::optional<Ask> fold_question(const LanesSubject& subject);
std::optional<Ask> trip_question(const LanesSubject& subject);
std::optional<Ask> banks_question(const LanesSubject& subject);
std::optional<Ask> diverge_question(const LanesSubject& subject);

}  // namespace warpwalk::story
