#include "instrumentation/recorded/read_recording.h"

#include <string_view>

#include "instrumentation/recorded/recording_frames.h"
#include "instrumentation/row_codec.h"

namespace warpwalk::instrumentation {
namespace {

void read_frame(std::string_view payload, TraceBuilder& maker, RecordingSummary& account,
                std::uint64_t memory_cap_bytes) {
  FrameDecoder decoder(payload);
  const bool full = maker.bytes() > memory_cap_bytes;
  while (const auto row = decoder.next()) {
    ++account.rows;
    // Rows that say how the recording ended and what it lacks are always kept.
    const bool is_summary_row = std::holds_alternative<End>(*row) || std::holds_alternative<LossRow>(*row) ||
                                std::holds_alternative<ErrorRow>(*row);
    if (full && !is_summary_row)
      ++account.left_out;
    else
      maker.add(*row);
  }
  if (decoder.damaged()) account.damaged_bytes += decoder.remaining_bytes();
}

}  // namespace

RecordingResult read_recording(const std::filesystem::path& partial, const ReadOptions& options) {
  RecordingResult out;
  TraceBuilder maker;
  if (options.rank) maker.set_rank(*options.rank);
  if (options.launches_failed) maker.launches_failed();
  const FramesRead read = read_frames(
      partial, [&](std::string_view payload) { read_frame(payload, maker, out.account, options.memory_cap_bytes); });
  out.account.damaged_bytes += read.damaged_bytes;
  out.error = read.error;
  if (out.error) return out;
  if (options.profiles != nullptr)
    for (const trace::Trace& profile : *options.profiles) maker.add_profile(profile);
  out.trace = maker.finish(out.account);
  out.code = maker.release_code();
  return out;
}

}  // namespace warpwalk::instrumentation
