#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace warpwalk::recording {

// What the recorder and the program it records agree on.

/// The environment variable that holds the output file's absolute path.
constexpr const char* output_variable = "WARPWALK_RECORD";
/// The one that asks, if it is set, for the machine code that the program loads.
constexpr const char* code_variable = "WARPWALK_RECORD_CODE";
/// The one that asks, if it is set, for room on the GPU for the times of so many kernels.
constexpr const char* timed_kernels_variable = "WARPWALK_RECORD_TIMED_KERNELS";
/// Of how many kernels CUPTI keeps the times in one of its device buffers, of 3.2 MB, and how many buffers it makes
/// unless told otherwise: seen with CUPTI 13.0 on an H200, limits of 20, 50 and 250.
constexpr std::uint64_t timed_kernels_per_buffer = 66'666;
constexpr std::uint64_t usual_device_buffers = 250;

/// walk.json.gz and 4711: walk.4711.json.gz, the output of a further process.
std::filesystem::path output_of_process(const std::filesystem::path& output, int pid);
/// walk.json.gz: walk.json.gz.partial, where rows go until the recorded process is over.
std::filesystem::path partial_of(const std::filesystem::path& output);
/// The partial files that recorded processes of this output left: the first process's, then those of the others by
/// name. Each with the output that it becomes.
struct Partial {
  std::filesystem::path file;
  std::filesystem::path output;
};
std::vector<Partial> partials_of(const std::filesystem::path& output);
/// Whether the process that writes this partial file still runs.
bool is_being_written(const std::filesystem::path& partial);

}  // namespace warpwalk::recording
