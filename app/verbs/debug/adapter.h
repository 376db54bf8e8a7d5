#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/verbs/debug/commands.h"
#include "app/verbs/debug/json_writer.h"
#include "app/verbs/debug/target.h"
#include "app/verbs/debug/tiles.h"

namespace warpwalk::verbs {

/// A debug adapter (Debug Adapter Protocol 1.68): answers the messages of one client. Threads are the warps of the
/// block in focus. A request that makes no sense gets an error response.
class DebugAdapter {
 public:
  /// `send` gets the JSON of each message. `target`: what `launch` debugs if the client names no file.
  DebugAdapter(DebugLoader loader, DebugTarget target, std::function<void(std::string_view)> send);

  /// Handles the JSON of a message. Returns false when the client is done.
  bool handle(std::string_view message);

 private:
  using Body = std::function<void(JsonWriter&)>;
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
    enum class Kind : std::uint8_t { arguments, registers, predicates, special, shared, lanes, elements, tiles, tile };
    Kind kind = Kind::arguments;
    debug::Focus focus;
    std::string expression = {};  ///< lanes, tile
    debug::Value pointer = {};    ///< elements
    std::uint64_t count = 0;
  };
  struct Frame {
    debug::Focus focus;
    std::uint32_t instruction = 0;
  };
  struct Variable {
    std::string name, value, type, evaluate;
    std::int64_t reference = 0, indexed = 0;
    std::string memory = {};
  };
  static const std::vector<Request>& requests();

  void initialize(const JsonReader& arguments);
  void launch(const JsonReader& arguments);
  void configuration_done(const JsonReader& arguments);
  void disconnect(const JsonReader& arguments);
  void restart(const JsonReader& arguments);
  void nothing(const JsonReader& arguments);
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
  void read_memory(const JsonReader& arguments);
  void disassemble(const JsonReader& arguments);
  void modules(const JsonReader& arguments);
  void loaded_sources(const JsonReader& arguments);
  void source(const JsonReader& arguments);
  void go_to_cycle(const JsonReader& arguments);
  void who_wrote(const JsonReader& arguments);
  void set_focus(const JsonReader& arguments);

  /// Lines as the client counts them.
  std::int64_t shown_line(std::int64_t line) const { return lines_from_one_ ? line : line - 1; }
  std::int64_t given_line(std::int64_t line) const { return lines_from_one_ || line >= INT32_MAX ? line : line + 1; }
  void respond(const Body& body = {});
  void refuse(std::string_view line);
  void event(std::string_view name, const Body& body = {});
  void report_stop();
  void step(const JsonReader& arguments, debug::StepKind kind, bool forward);
  void moved();
  void take_thread(const JsonReader& arguments);
  void write_breakpoint(JsonWriter& json, const debug::Breakpoint& breakpoint) const;
  void respond_breakpoints(const std::vector<const debug::Breakpoint*>& made);
  void write_source(JsonWriter& json, std::uint32_t file) const;
  void write_variable(JsonWriter& json, const Variable& variable) const;
  std::int64_t reference(Scope scope);
  Variable variable_of(const std::string& name, const debug::Value& value, const debug::Focus& focus);
  void add_variables(const Scope& scope, std::int64_t start, std::int64_t count, std::vector<Variable>& made);
  Variable variable_of_tile(const TileRow& row);
  void add_tiles(const Scope& scope, std::int64_t start, std::int64_t count, std::vector<Variable>& made);
  std::int64_t thread_id(const debug::Focus& focus) const;
  debug::Focus focus_of_thread(std::int64_t id);
  debug::Focus focus_of_frame(const JsonReader& arguments) const;
  debug::Session& session() { return *session_; }

  DebugLoader loader_;
  DebugTarget target_;
  std::function<void(std::string_view)> send_;
  std::unique_ptr<debug::Session> session_;
  std::int64_t sequence_ = 0, request_ = 0;
  std::string command_;
  bool answered_ = false, done_ = false, stop_on_entry_ = true, progress_ = false, configured_ = false;
  bool lines_from_one_ = true;
  std::vector<Scope> scopes_;
  std::vector<Frame> frames_;
};

}  // namespace warpwalk::verbs
