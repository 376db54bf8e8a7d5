#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/debug/expression.h"
#include "core/words/crash/open_dump.h"

namespace warpwalk::verbs {

/// A GPU core dump to look at as a debugger does: a thread in focus, its frames, registers and memory. Nothing runs.
class DumpView final : public debug::Names {
 public:
  /// On failure, one line.
  static base::Result<std::unique_ptr<DumpView>> open(const std::filesystem::path& file);

  struct Warp {
    const crash::DumpDevice* device = nullptr;
    const crash::DumpSm* sm = nullptr;
    const crash::DumpBlock* block = nullptr;
    const crash::DumpWarp* warp = nullptr;
    const crash::DumpGrid* grid = nullptr;  ///< null: not in the dump
  };
  /// All warps that have threads.
  const std::vector<Warp>& warps() const { return warps_; }
  std::size_t warp() const { return warp_; }
  int lane() const { return lane_; }
  /// Looks at another thread; `lane` -1: the first of the warp. False if there is none.
  bool focus(std::size_t warp, int lane);
  std::string warp_text(std::size_t warp) const;
  std::string thread_text() const;

  /// Why the dump was made, one line for people.
  std::string headline();
  struct Frame {
    std::string function, file;
    std::uint32_t line = 0;
    std::uint64_t address = 0;  ///< in the GPU's memory
  };
  /// The stack of the thread in focus, the innermost frame first; inlined calls are frames, too.
  std::vector<Frame> frames();
  /// Instructions from `first` on, counted from the one at an address.
  struct Instruction {
    std::uint64_t address = 0;
    std::string text, file;
    std::uint32_t line = 0;
  };
  std::vector<Instruction> instructions(std::uint64_t address, std::int64_t first, std::size_t count);
  /// The lines of a source, if it is here.
  std::vector<std::string_view> source_lines(std::string_view file) { return open_->report.sources.lines(file); }
  std::vector<std::string> register_names() const;
  std::vector<std::string> predicate_names() const;
  std::vector<std::string> argument_names();
  const crash::CoreDump& dump() const { return open_->dump; }

  base::Result<debug::Value> evaluate(std::string_view expression);
  base::Result<debug::Value> find(std::string_view name) override;
  base::Result<debug::Value> load(const debug::Value& pointer, std::int64_t index) override;

  /// Executes a command of DebugCommands that only looks; the others get one line that says why not.
  base::Result<std::string> execute(std::string_view line);
  bool done() const { return done_; }

 private:
  explicit DumpView(std::shared_ptr<words::OpenDump> open);
  const crash::DumpLane* thread() const;
  crash::Code& code() { return open_->report.code_of(*warps_[warp_].device); }
  std::string place();
  std::string threads_text();
  base::Result<std::string> choose(std::string_view rest);

  std::shared_ptr<words::OpenDump> open_;
  std::vector<Warp> warps_;
  std::size_t warp_ = 0;
  int lane_ = 0;
  bool done_ = false;
};

/// Why a step or a breakpoint is refused.
constexpr std::string_view dump_stands = "a core dump can only be looked at: its program has ended";

}  // namespace warpwalk::verbs
