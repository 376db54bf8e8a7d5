#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/debug/breakpoint.h"
#include "core/debug/moment.h"
#include "core/debug/recording.h"

namespace warpwalk::debug {

class Tiles;

/// The thread that is looked at.
struct Focus {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  int lane = 0;
  friend bool operator==(const Focus&, const Focus&) = default;
};

enum class StopReason : std::uint8_t {
  entry,
  step,
  breakpoint,
  data,
  exception,
  go_to,
  thread_end,
  end,
  beginning,
  interrupted
};

/// Why and where the launch stands.
struct Stop {
  StopReason reason = StopReason::entry;
  std::string text;              ///< one line for people
  std::vector<int> breakpoints;  ///< that are here
};

enum class StepKind : std::uint8_t { in, over, out };
enum class StepUnit : std::uint8_t { line, instruction };

/// A question about where a value came from.
struct WriterRequest {
  enum class Kind : std::uint8_t {
    value,    ///< who wrote what a place (`a[3]`, `R4`) holds now; at the end of the launch, what it leaves there
    nan,      ///< likewise, back to the instruction that a NaN of 32 bits came from
    read,     ///< who wrote what the last answer read: `number` is an index into WriterAnswer::reads
    address,  ///< what the next access of the thread in focus computes its address from
  };
  Kind kind = Kind::value;
  std::string expression;
  std::size_t number = 0;
};

/// An instruction that a value came through.
struct WriterPlace {
  std::uint32_t instruction = 0;
  Focus thread;
  std::optional<Position> at;  ///< nullopt: not in the cycles that were simulated
  std::string value;           ///< of the register or memory that it wrote; empty: not known
};

/// One step back from a value: the instructions that it came through since it was last in memory.
struct WriterAnswer {
  std::vector<WriterPlace> steps;    ///< in the order in which they ran
  std::size_t found = 0;             ///< the one that was asked for: the writer, or the source of a NaN
  std::optional<WriterPlace> later;  ///< not written: the instruction that writes it later
  bool was_input = false;            ///< not written: it was in memory before the launch; else it was never written
  std::string incomplete;            ///< a limit that was reached; else empty
  struct Read {
    std::string place;  ///< "a[12]"
    std::string value;
    std::size_t step = 0;  ///< that reads it
  };
  std::vector<Read> reads;

  bool written() const { return !steps.empty(); }
};

/// A launch that goes forwards and backwards, with a thread in focus. All positions are before an instruction is
/// issued; all SMs are shown at the same cycle. Not to be used from several threads at once. RecordOptions::cancel ends
/// a search (Stop::reason is `interrupted`, and it stands where it stood), a simulation and a question.
class Session {
 public:
  explicit Session(std::unique_ptr<Recording> recording);

  Recording& recording() { return *recording_; }
  const Recording& recording() const { return *recording_; }
  const CodeMap& code() const { return recording_->code(); }

  std::int64_t cycle() const { return at_.cycle; }
  const Focus& focus() const { return focus_; }
  const Stop& stop() const { return stop_; }
  /// Looks at another thread at the same cycle. Fails if there is none.
  base::Result<void> set_focus(const Focus& focus);
  /// The instruction that a warp issues next, or the focus does; nullopt if it has ended.
  std::optional<std::uint32_t> next_instruction(std::uint64_t block, std::uint32_t warp) const;
  std::optional<std::uint32_t> next_instruction() const;
  Moment moment() { return moment(focus_); }
  Moment moment(const Focus& focus) { return moment(focus, 0); }
  /// `frame`: whose variables names mean; 0 is the innermost that is shown.
  Moment moment(const Focus& focus, std::size_t frame);
  /// The functions that the thread in focus is in, the innermost first; empty if it has ended.
  std::vector<StackFrame> stack();
  /// The blocks that are on an SM at this cycle, ascending.
  std::vector<std::uint64_t> resident_blocks() const;

  /// To the first instruction of the launch.
  const Stop& restart();
  /// Until a breakpoint or the end of the launch, or back to a breakpoint or the beginning.
  const Stop& run(bool forward);
  /// Moves the thread in focus alone; other threads go on as they did. A step by lines ends at the first instruction of
  /// a run of instructions of one line, so that a step back undoes a step.
  const Stop& step(StepKind kind, StepUnit unit, bool forward);
  /// To the first cycle from this one on in which the warp in focus issues, or the cycle itself.
  const Stop& go_to_cycle(std::int64_t cycle);
  const Stop& go_to(const Position& at, int lane);

  /// Breakpoints. An id is returned even if the breakpoint is not verified; its message says why.
  const Breakpoint& add_line(std::string_view file, std::uint32_t line, std::string_view condition,
                             std::string_view hits);
  const Breakpoint& add_function(std::string_view name, std::string_view condition, std::string_view hits);
  const Breakpoint& add_instruction(std::uint64_t address, std::string_view condition, std::string_view hits);
  const Breakpoint& add_data(std::string_view expression, std::uint32_t bytes, Breakpoint::Access access,
                             std::string_view condition, std::string_view hits);
  const Breakpoint& add_exception(gpu::FindingKind kind, std::string_view condition);
  const std::vector<std::unique_ptr<Breakpoint>>& breakpoints() const { return breakpoints_; }
  /// Sets those of another launch here, with the same ids.
  void copy_breakpoints(const Session& from);
  /// Makes a breakpoint one that writes a line and does not stop, for those who run() and look at Breakpoint.
  void set_log_message(int id, std::string text);
  bool remove(int id);
  void remove(Breakpoint::Kind kind);
  /// Of one file.
  void remove_lines(std::string_view file);

  /// The tensors of the Triton program that the launch is of; null if it is of none.
  Tiles* tiles() const { return tiles_.get(); }
  void set_tiles(std::shared_ptr<Tiles> tiles) { tiles_ = std::move(tiles); }

  base::Result<Value> evaluate(std::string_view expression) { return evaluate(expression, focus_); }
  base::Result<Value> evaluate(std::string_view expression, const Focus& focus, std::size_t frame = 0);
  /// Changes an input of the launch: an element of a buffer, or a parameter, that no instruction before this stop has
  /// read or written. The launch is simulated again, its past is compared, and the session stands at the same stop.
  /// On failure, one line, and nothing changes. Returns the new value.
  base::Result<Value> set(std::string_view expression, std::string_view value, const Focus& focus,
                          std::size_t frame = 0);
  /// Likewise, for bytes at an address. `name`: for messages.
  base::Result<void> set_bytes(std::uint64_t address, std::span<const std::uint8_t> bytes, std::string_view name);
  /// Answers a question about a value. On failure, one line.
  base::Result<WriterAnswer> who_wrote(const WriterRequest& request);

  /// "kernel.cu:12", or "code.sass:4" without line information.
  std::string place_text(std::uint32_t instruction) const;
  /// The names that an expression of the thread in focus may begin with: special names, parameters, buffers, variables,
  /// registers.
  std::vector<std::string> names(const Focus& focus, std::size_t frame);
  std::string thread_text(const Focus& focus) const;

 private:
  Breakpoint& add(Breakpoint::Kind kind, std::string_view condition, std::string_view hits);
  const Stop& stand(const Position& at, int lane, Stop stop);
  const Stop& stand_at_end(StopReason reason);
  void find_here();
  std::size_t hidden_frames() const;
  std::string hit_text(const Breakpoint& breakpoint, const Breakpoint::Hit& hit);
  base::Result<gpu::WriterQuestion> question_of(std::string_view expression);
  base::Result<gpu::LaunchMoment> now() const;
  bool line_changed(std::uint32_t from, std::uint32_t to, StepKind kind, int calls, unsigned depth) const;
  unsigned depth_of(std::size_t issue) const;

  std::unique_ptr<Recording> recording_;
  std::vector<std::unique_ptr<Breakpoint>> breakpoints_;
  int last_id_ = 0;
  Position at_;
  std::optional<Position> first_;  ///< a search forwards begins with this position, instead of behind at_
  Focus focus_;
  unsigned depth_ = 0;  ///< of inlined calls that are shown as entered; a step over a call that is inlined enters none
  std::optional<std::size_t> here_;  ///< the issue that the warp in focus is before; nullopt: it has ended
  Stop stop_;
  gpu::Writer answer_;  ///< the last one
  std::shared_ptr<Tiles> tiles_;
};

}  // namespace warpwalk::debug
