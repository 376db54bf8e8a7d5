#pragma once

// This folder has the drafts of the Kernel lab: launch text, compilation, limits, comparison. The page is
// app/pages/kernel_lab.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/platform/temporary_folder.h"
#include "core/run/replay/history.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

enum class DraftLanguage : unsigned char { cuda, ptx };

/// PTX and machine code that were compiled from a source in advance, for machines without CUDA.
struct Precompiled {
  std::string source;  ///< used only as long as the draft's source is this text
  std::string ptx;
  std::string cubin;   ///< may be empty
  std::string origin;  ///< of the machine code, "from cubin"
  friend bool operator==(const Precompiled&, const Precompiled&) = default;
};

/// What a buffer has to contain after the launch, so that a kernel that computes nothing does not pass.
struct DraftExpectation {
  std::string buffer;
  std::vector<std::uint8_t> bytes;
  double rtol = 0, atol = 0;
  friend bool operator==(const DraftExpectation&, const DraftExpectation&) = default;
};

/// What a program gave the buffers and variables of one of its launches, in files (recorded_file() in launch_text.h).
struct RecordedContents {
  platform::TemporaryFolder folder;
  std::vector<std::string> buffers;  ///< those with a file
  bool has(std::string_view buffer) const { return std::ranges::find(buffers, buffer) != buffers.end(); }
};

/// A kernel of the Kernel lab as it is typed: a source and a launch.
struct KernelDraft {
  DraftLanguage language = DraftLanguage::cuda;
  std::string name = "kernel";  ///< of its files, without an extension
  std::string source;
  std::string launch;  ///< as in launch_text.h
  Precompiled precompiled;
  std::vector<DraftExpectation> expected;            ///< of the launch file; saved with the launch
  std::shared_ptr<const RecordedContents> recorded;  ///< of a launch of a program; null: none

  /// "race.cu" or "race.ptx".
  std::string file_name() const;
  bool uses_precompiled() const { return !precompiled.ptx.empty() && precompiled.source == source; }
  friend bool operator==(const KernelDraft&, const KernelDraft&) = default;
};

/// The longest source and launch text. Longer ones are refused, so that no frame draws or compares more.
inline constexpr std::size_t max_draft_bytes = std::size_t{256} << 10;

/// Reads a launch file and its source. If it names PTX or machine code and a CUDA C++ file of the same name lies beside
/// it, that is the source, and PTX and machine code are the precompiled ones. On failure, returns a one-line error.
base::Result<KernelDraft> open_draft(const std::filesystem::path& launch_file);

/// Writes NAME.json and the source NAME.cu or NAME.ptx beside it, as `simulate` reads them. What
/// buffers have to contain is in NAME.BUFFER.expect.bin, for those that the launch still has at the same size; recorded
/// contents are in NAME.BUFFER.bin. A program (with main()) is saved with its precompiled PTX, NAME.ptx, and fails
/// without one.
base::Result<void> save_draft(const KernelDraft& draft, const std::filesystem::path& folder);

/// The draft of a recorded kernel: its CUDA C++ if the trace has all of it, else its PTX, with the launch as it was
/// recorded. If its memory was recorded too, its numbers and the sizes of its buffers are the recorded ones. On
/// failure, returns one sentence without its full stop that says what the record lacks.
base::Result<KernelDraft> draft_of_kernel(const trace::Trace& trace, trace::SliceId kernel);

/// The draft of a simulated kernel, for a stand-in: its CUDA C++ or its PTX, with buffers of random elements in place
/// of the contents that it ran on. On failure, returns one sentence without its full stop.
base::Result<KernelDraft> draft_of_history(const History& history);

/// The PTX of a draft's source as the source of another one; nullopt if it is PTX already or has no precompiled PTX.
std::optional<KernelDraft> as_ptx(const KernelDraft& draft);

}  // namespace warpwalk::run
