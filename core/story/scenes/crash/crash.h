#pragma once

// The scene "crash": what its files share.
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/crash/diagnosis.h"
#include "core/crash/waits.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/pictures/panels.h"
#include "core/story/stage/control_set.h"
#include "core/story/stage/scene.h"
#include "core/words/crash/crash_names.h"
#include "core/words/crash/open_dump.h"

namespace warpwalk::story {

/// A block that was on an SM when the dump was written.
struct ResidentBlock {
  const crash::DumpDevice* device = nullptr;
  const crash::DumpSm* sm = nullptr;
  const crash::DumpBlock* block = nullptr;
};

/// The blocks of a dump, by device and SM, in the order of the file. Those without warps are left out.
std::vector<ResidentBlock> resident_blocks(const crash::CoreDump& dump);

/// What a lane was doing.
enum class LaneState : std::uint8_t {
  failed,   ///< its access, trap or assertion stopped the warp
  suspect,  ///< it, or another lane of the warp
  active,   ///< the warp's next instruction is its own
  waiting,  ///< it is at another place, until the warp comes to it
  exited,   ///< its thread has ended
  none      ///< the block has no thread for it
};

/// The settings of the scene, and words for what it shows. There is a dump with a resident block.
struct CrashScene {
  static constexpr std::string_view name = "crash";

  const SceneInput& input;
  words::OpenDump& open;
  std::unique_lock<std::mutex> lock;
  words::DumpReport& report;
  const crash::CoreDump& dump;
  ControlSet controls{input, name};
  std::vector<ResidentBlock> residents;
  std::size_t chosen = 0;                 ///< in `residents`
  const crash::DumpGrid* grid = nullptr;  ///< of the chosen block; null: not in the dump
  const crash::DumpWarp* warp = nullptr;
  unsigned lane_number = 0;
  const crash::DumpLane* lane = nullptr;  ///< null: the warp has no such lane
  std::vector<crash::Wait> waits;         ///< of the chosen block

  explicit CrashScene(const SceneInput& in);

  const ResidentBlock& resident() const { return residents[chosen]; }
  crash::Code& code() const { return report.code_of(*resident().device); }
  /// What failed, if it was the chosen warp; null otherwise.
  const crash::Crash* failure() const;
  const crash::Crash* any_failure() const { return report.crash ? &*report.crash : nullptr; }
  /// What is told of a hang first; null if a warp failed, or if none waits.
  const crash::Wait* first_wait() const;
  /// The chosen thread; `lane` is not null.
  crash::DumpThread thread() const;
  /// What a warp with this number in the chosen block waits for at `pc`; null if it does not wait.
  const crash::Wait* wait_of(std::uint32_t number, std::uint64_t pc) const;
  /// The number of the chosen warp in its block.
  std::uint32_t warp_number() const;
  /// The instruction that the chosen lane is at or waits at; of a failed lane, the one that failed.
  std::optional<crash::CodePlace> place() const;

  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  std::string formula(std::string_view key) const;
  words::KernelWords kernel_of(const crash::DumpGrid* one) const;
  const crash::DumpGrid* grid_of(const ResidentBlock& resident) const;
  LaneState state_of(const crash::DumpWarp& one, unsigned number) const;
  /// "failed: Warp Illegal Address", "waits at barrier 0", "runs".
  TableCell state_cell(const crash::DumpWarp& one, std::uint32_t number, const std::vector<crash::Wait>& waits) const;
  std::string wait_text(const crash::Wait& wait) const;
  /// "gather.cu:6", or that there is none.
  std::string line_name(const std::optional<crash::CodePlace>& place) const;
  /// The text of that line; empty if the file is not here.
  std::string line_text(const std::optional<crash::CodePlace>& place) const;
  /// "gather +0x90"
  std::string offset_text(const std::optional<crash::CodePlace>& place, std::uint64_t pc) const;
  std::string instruction_text(const std::optional<crash::CodePlace>& place) const;
};

/// A cell with what the dump records, in the code font.
TableCell recorded_cell(std::string text, Tone tone = Tone::plain);
/// A cell that is computed from what the dump records.
TableCell computed_cell(std::string text, std::string formula);
/// Without the marks of code: "argument table".
std::string plain_text(std::string text);
/// "0 to 3, 7": the lanes of a mask.
std::string lanes_text(std::uint32_t mask);
/// The number of blocks of a grid.
std::uint64_t blocks_of(const crash::DumpGrid& grid);

/// The address that the failed lane accessed, or that the waiting one reads; nullopt if there is none, or if it is not
/// known.
struct CrashAddress {
  crash::AccessSpace space = crash::AccessSpace::global;
  std::uint64_t address = 0;
  std::uint32_t bytes = 4;
  const crash::Near* near = nullptr;  ///< of global memory
  crash::DumpThread thread;           ///< that accesses it
};
std::optional<CrashAddress> address_of(const CrashScene& s);
/// That of the first lane that failed, whatever is chosen.
std::optional<CrashAddress> failed_address(const CrashScene& s);
/// What lies at an address of global memory: "4,194,304 B from the start of argument table".
std::string near_words(const CrashScene& s, const CrashAddress& at);

PanelRow what_row(const CrashScene& s);
PanelRow waits_row(const CrashScene& s);
std::vector<PanelRow> blocks_rows(const CrashScene& s);
std::vector<PanelRow> warps_rows(const CrashScene& s);
std::vector<PanelRow> lanes_rows(const CrashScene& s);
std::vector<PanelRow> registers_rows(const CrashScene& s);
std::vector<PanelRow> memory_rows(const CrashScene& s);
/// Source and machine code side by side; `lines`: at most so many of each. `mark`: what happened at the place.
Panel code_panel_of(const CrashScene& s, const std::optional<crash::CodePlace>& place, std::size_t lines,
                    std::string_view mark);

}  // namespace warpwalk::story
