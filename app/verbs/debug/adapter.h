#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/verbs/debug/commands.h"
#include "app/verbs/debug/message_json.h"
#include "app/verbs/debug/target.h"
#include "app/verbs/debug/tiles.h"

namespace warpwalk::verbs {

class DumpView;

/// A debug adapter (Debug Adapter Protocol 1.68): answers the messages of one client. Threads are the warps of the
/// block in focus. A request that makes no sense gets an error response.
class DebugAdapter {
 public:
  /// `send` gets the JSON of each message. `target`: what `launch` debugs if the client names no file.
  DebugAdapter(DebugLoader loader, DebugTarget target, std::function<void(std::string_view)> send);

  /// Handles the JSON of a message. Returns false when the client is done.
  bool handle(std::string_view message);
  /// Looks at a message that has been received and is not handled yet, from any thread: `cancel`, `pause`, `disconnect`
  /// and `terminate` end the work that is under way. nullopt: the client is gone.
  void arrives(std::optional<std::string_view> message);

 private:
  using Body = std::function<void(MessageJson&)>;
  /// Thrown by handlers: the request fails with this line.
  struct Refusal {
    std::string line;
  };
  using Handler = void (DebugAdapter::*)(const JsonReader& arguments);
  struct Request {
    std::string_view command;
    Handler handler;
    bool needs_session;
  };
  /// The variables behind a `variablesReference`.
  struct Scope {
    enum class Kind : std::uint8_t {
      locals,
      arguments,
      registers,
      predicates,
      special,
      shared,
      lanes,
      elements,
      members,
      tiles,
      tile
    };
    Kind kind = Kind::arguments;
    debug::Focus focus;
    std::size_t frame = 0;        ///< of the stack
    std::string expression = {};  ///< lanes, elements, members, tile
    debug::Value pointer = {};    ///< elements, members: the pointer, array or object
    std::uint64_t count = 0;      ///< elements
  };
  struct Frame {
    debug::Focus focus;
    std::size_t number = 0;  ///< in the stack
  };
  struct Variable {
    std::string name, value, type, evaluate;
    std::int64_t reference = 0, indexed = 0;
    std::string memory = {};
  };
  static const std::vector<Request>& requests();

  /// Opens a core dump for `launch`. answer_of_dump() answers a request about it; false: there is no answer.
  void open_dump(const DebugTarget& target);
  bool answer_of_dump(const JsonReader& arguments);

  void initialize(const JsonReader& arguments);
  void launch(const JsonReader& arguments);
  void configuration_done(const JsonReader& arguments);
  void disconnect(const JsonReader& arguments);
  void restart(const JsonReader& arguments);
  void cancel(const JsonReader& arguments);
  void pause(const JsonReader& arguments);
  void set_breakpoints(const JsonReader& arguments);
  void set_function_breakpoints(const JsonReader& arguments);
  void set_instruction_breakpoints(const JsonReader& arguments);
  void set_exception_breakpoints(const JsonReader& arguments);
  void data_breakpoint_info(const JsonReader& arguments);
  void set_data_breakpoints(const JsonReader& arguments);
  void breakpoint_locations(const JsonReader& arguments);
  void exception_info(const JsonReader& arguments);
  void run_on(const JsonReader& arguments);
  void run_back(const JsonReader& arguments);
  void next(const JsonReader& arguments);
  void step_in(const JsonReader& arguments);
  void step_out(const JsonReader& arguments);
  void step_back(const JsonReader& arguments);
  void threads(const JsonReader& arguments);
  void stack_trace(const JsonReader& arguments);
  void scopes(const JsonReader& arguments);
  void variables(const JsonReader& arguments);
  void evaluate(const JsonReader& arguments);
  void set_variable(const JsonReader& arguments);
  void set_expression(const JsonReader& arguments);
  void write_memory(const JsonReader& arguments);
  void completions(const JsonReader& arguments);
  /// The address that `memoryReference` and `offset` name. If there is none, the request is refused with `what`.
  static std::uint64_t memory_address(const JsonReader& arguments, std::string_view what = global_address);
  static constexpr std::string_view global_address = "an address of global memory: 0x7f1000000000";
  void read_memory(const JsonReader& arguments);
  void disassemble(const JsonReader& arguments);
  void modules(const JsonReader& arguments);
  void loaded_sources(const JsonReader& arguments);
  void source(const JsonReader& arguments);
  void go_to_cycle(const JsonReader& arguments);
  void who_wrote(const JsonReader& arguments);
  void set_focus(const JsonReader& arguments);
  void moment(const JsonReader& arguments);

  /// Lines as the client counts them.
  std::int64_t shown_line(std::int64_t line) const { return lines_from_one_ ? line : line - 1; }
  std::int64_t given_line(std::int64_t line) const { return lines_from_one_ || line >= INT32_MAX ? line : line + 1; }
  void respond(const Body& body = {});
  void refuse(std::string_view line);
  void event(std::string_view name, const Body& body = {});
  void report_stop();
  /// Begins a request: whether it may be worked on, and what ends it. false: it was cancelled before.
  bool begin_work();
  void end_work();
  /// Reports long work: on the thread that works, or one that it waits for.
  void progressed(std::uint64_t done, std::uint64_t all);
  debug::RecordOptions control();
  /// Assigns to an expression, and responds with its new value.
  void set(const std::string& expression, const std::string& value, const Frame& frame);
  void inputs_changed();
  /// To the next breakpoint that stops.
  void go(bool forward);
  /// Writes what breakpoints with a log message say at this stop. Returns whether no other one stops here.
  bool write_logs();
  void step(const JsonReader& arguments, debug::StepKind kind, bool forward);
  void moved();
  void take_thread(const JsonReader& arguments);
  void write_breakpoint(MessageJson& json, const debug::Breakpoint& breakpoint) const;
  void respond_breakpoints(const std::vector<const debug::Breakpoint*>& made);
  void write_source(MessageJson& json, std::uint32_t file) const;
  void write_variable(MessageJson& json, const Variable& variable) const;
  std::int64_t reference(Scope scope);
  /// The text of a value, as the request asks for it.
  std::string text_of(const debug::Value& value) const;
  Variable variable_of(const std::string& name, const debug::Value& value, const Frame& frame);
  Variable variable_of(const debug::SourceVariable& of, const std::string& evaluate, const Frame& frame);
  /// Gives it the values of all lanes to open, if it has nothing else.
  void add_lanes(Variable& variable, const Frame& frame);
  void add_variables(const Scope& scope, std::int64_t start, std::int64_t count, std::vector<Variable>& made);
  Variable variable_of_tile(const TileRow& row);
  void add_tiles(const Scope& scope, std::int64_t start, std::int64_t count, std::vector<Variable>& made);
  std::int64_t thread_id(const debug::Focus& focus) const;
  debug::Focus focus_of_thread(std::int64_t id);
  Frame frame_of(const JsonReader& arguments) const;
  debug::Focus focus_of_frame(const JsonReader& arguments) const { return frame_of(arguments).focus; }
  debug::Session& session() { return run_->session(); }
  const debug::Session& session() const { return run_->session(); }

  DebugLoader loader_;
  DebugTarget target_;
  std::function<void(std::string_view)> send_;
  std::unique_ptr<DebugRun> run_;
  std::shared_ptr<DumpView> dump_;  ///< instead of a run
  std::int64_t sequence_ = 0, request_ = 0;
  std::string command_;
  bool answered_ = false, done_ = false, stop_on_entry_ = true, progress_ = false, configured_ = false;
  bool lines_from_one_ = true, columns_from_one_ = true, invalidates_ = false, hexadecimal_ = false;
  std::vector<Scope> scopes_;
  std::vector<Frame> frames_;

  // Of the work that is under way.
  struct Arrival {
    std::int64_t request = 0;
    std::string command;
  };
  std::atomic<bool> interrupt_ = false, gone_ = false;
  std::atomic<int> ended_ = 0;  ///< a signal to end, which came while a program ran
  std::mutex arrivals_mutex_;   ///< guards the four members below
  std::deque<Arrival> arrivals_;
  std::set<std::int64_t> cancelled_;
  std::int64_t working_ = 0;  ///< the request; 0: none
  std::string working_on_;    ///< its command
  std::chrono::steady_clock::time_point work_began_;
  std::optional<std::uint64_t> percent_;  ///< that was reported last; nullopt: none was
};

}  // namespace warpwalk::verbs
