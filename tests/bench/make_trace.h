#pragma once

#include <cstdint>
#include <filesystem>

namespace warpwalk::bench {

/// Writes a profiler file with exactly `events` events: consecutive copies of a real trace, 10 ms apart, with their IDs
/// (External id, correlation, flow id, Ev Idx, Python id) shifted so that they stay unique. `sample` is a
/// torch.profiler file, plain or gzip. Throws std::runtime_error on failure.
void make_trace(const std::filesystem::path& sample, std::uint64_t events, const std::filesystem::path& out);

/// The sample trace in the repository: two training steps of a small network, recorded on an H200.
std::filesystem::path real_sample();

}  // namespace warpwalk::bench
