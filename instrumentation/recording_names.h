#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace warpwalk::instrumentation {

// Names shared by the recorder and the library that it injects into the recorded program.

/// Environment variable with the absolute path of the output file.
constexpr const char* output_variable = "WARPWALK_RECORD";
/// Environment variable with the absolute path of a folder: the program is armed, and writes its last calls there.
constexpr const char* armed_variable = "WARPWALK_ARMED";
/// Environment variable with the patterns of the launches whose inputs an armed program keeps, one per line, and one
/// with the limit of their memory in bytes.
constexpr const char* replay_variable = "WARPWALK_ARMED_REPLAY";
constexpr const char* replay_limit_variable = "WARPWALK_ARMED_REPLAY_LIMIT";
/// Environment variable that, if set, requests the machine code that the program loads.
constexpr const char* code_variable = "WARPWALK_RECORD_CODE";
/// Environment variable with the patterns of the launches that are recorded with their memory, one per line, and one
/// with the limit of that memory in bytes.
constexpr const char* inside_variable = "WARPWALK_RECORD_INSIDE";
constexpr const char* inside_limit_variable = "WARPWALK_RECORD_INSIDE_LIMIT";
constexpr const char* inside_whole_variable = "WARPWALK_RECORD_INSIDE_WHOLE";
/// Environment variable for the simulated GPU: 1 if only launches that the patterns name are recorded with their
/// memory, and the program is to end after the last of them.
constexpr const char* inside_only_variable = "WARPWALK_RECORD_INSIDE_ONLY";
/// Environment variable for the simulated GPU: the process that the program ends with, even if that is killed.
constexpr const char* owner_variable = "WARPWALK_RECORD_OWNER";
/// Environment variable that, if set, gives the number of kernels whose times must fit into CUPTI's device buffers.
constexpr const char* timed_kernels_variable = "WARPWALK_RECORD_TIMED_KERNELS";
/// Number of kernels whose times fit into one of CUPTI's device buffers (3.2 MB), and the default number of buffers.
/// Measured with CUPTI 13.0 on an H200, with limits of 20, 50 and 250 buffers.
constexpr std::uint64_t timed_kernels_per_buffer = 66'666;
constexpr std::uint64_t default_device_buffers = 250;

/// The NVTX domain of the lines of Python that call PyTorch's ops (instrumentation/inject/python_lines.h).
constexpr std::string_view python_lines_domain = "warpwalk.python";

/// The output file of a further process: walk.4711.json.gz for walk.json.gz and process 4711.
std::filesystem::path process_output_path(const std::filesystem::path& output, int pid);
/// The file that holds the rows until the recorded process ends: walk.json.gz.partial for walk.json.gz.
std::filesystem::path partial_path(const std::filesystem::path& output);
/// A partial file that a recorded process left, and the output file it becomes.
struct Partial {
  std::filesystem::path file;
  std::filesystem::path output;
};
/// The partial files of this output: that of the first process, then those of the others, sorted by name.
std::vector<Partial> find_partials(const std::filesystem::path& output);
/// True if the process that writes this partial file is still running.
bool is_being_written(const std::filesystem::path& partial);

}  // namespace warpwalk::instrumentation
