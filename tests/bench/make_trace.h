#pragma once

#include <cstdint>
#include <filesystem>

namespace warpwalk::bench {

/// Writes a profiler file of exactly `events` events: copies of a real trace one after the other, 10 ms apart, whose
/// ids (External id, correlation, flow id, Ev Idx, Python id) are shifted so that each stays unique. `sample` is a file
/// of torch.profiler, plain or gzip. Throws std::runtime_error where it cannot.
void make_trace(const std::filesystem::path& sample, std::uint64_t events, const std::filesystem::path& out);

/// The sample in the repository: two training steps of a small network, recorded on an H200.
std::filesystem::path real_sample();

}  // namespace warpwalk::bench
