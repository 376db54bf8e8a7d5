#pragma once

// The parts of the scene "boardroom": the subject of its beats, the functions that its table of beats (beats.cpp)
// names, and the timeline that most of them show.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/story/beats/beat_of.h"
#include "core/story/facts/launch/op_order.h"
#include "core/story/facts/launch/receipt.h"
#include "core/story/facts/launch/work_ahead.h"
#include "core/story/facts/words/opening_line.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// What a beat's timeline shows.
struct BoardroomReach {
  enum class Window : std::uint8_t {
    op,         ///< the whole op
    launch,     ///< the launch and the work that it started
    aftermath,  ///< likewise, up to what the CPU did next
  };
  Window window = Window::op;
  int rows = 0;  ///< 0: the outermost op; 1: the nested ones too; 2: the calls and the GPU too
};

/// The subject of the boardroom's beats.
struct Boardroom {
  const Here& here;
  const SceneInput& input;
  std::optional<Receipt> receipt;
  std::optional<OpeningLine> line;  ///< only in the beat about it
  Narration::Values values;

  const Trace& trace() const { return input.trace; }
  const Walk& walk() const { return input.walk; }
};
using BoardroomBeat = BeatOf<Boardroom, BoardroomReach>;

/// A range of a time axis, in ns since the trace's base.
struct Span {
  double from = 0;
  double to = 1;
};
Span boardroom_window(const Boardroom& s, BoardroomReach::Window window);

/// Everything on the launching thread and on the streams within the beat's window. First the axis moves there from the
/// window of the beat before, then the new rows appear.
TimelinePicture boardroom_timeline(const Boardroom& s);
/// Without times: the chain of calls; each part appears with its beat.
TimelinePicture untimed_timeline(const Boardroom& s, const OrderedShown& shown);

/// Words for the roles of bars.
std::vector<std::pair<Role, std::string>> timeline_legend(const SceneInput& input);

/// The work of a GPU that ran during a call that waits for it, and that had ended when the call returned.
/// Returns nullopt if there is none: the GPU had finished, or what ended the call was no work of its own.
std::optional<WorkAhead> awaited_work(const Trace& trace, SliceId wait, std::int64_t device);
/// "gemm (20.1 µs of the wait)", or how many there are, the longest and the last one.
std::string awaited_text(const SceneInput& input, const WorkAhead& awaited);

/// The first beat: the line, its numbers, and who works on them. It asks who multiplies, if a kernel is followed.
std::string line_section(const Boardroom& s);
void line_facts(const Boardroom& s, FactWriter& facts);
void line_picture(const Boardroom& s, Stage& stage);
std::optional<Ask> line_question(const Boardroom& s);
constexpr double line_seconds = 3;

/// The second beat: the parts of the machine, one by one, by the names of the company.
void company_picture(const Boardroom& s, Stage& stage);
constexpr double company_seconds = 5;

/// The line of Python that called the outermost op, if a call stack was recorded with it; else empty.
std::string line_of_call(const Boardroom& s);
void call_facts(const Boardroom& s, FactWriter& facts);
void descend_facts(const Boardroom& s, FactWriter& facts);
void launch_call_facts(const Boardroom& s, FactWriter& facts);
void return_facts(const Boardroom& s, FactWriter& facts);
void meanwhile_facts(const Boardroom& s, FactWriter& facts);
void unlaunched_facts(const Boardroom& s, FactWriter& facts);
void nothing_facts(const Boardroom& s, FactWriter& facts);

}  // namespace warpwalk::story
