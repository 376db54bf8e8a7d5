#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpwalk::simulated {

/// Where the program called CUDA, for the sanitizer's messages. A site has a number; 0: none.
namespace call_sites {

/// Functions of the stack that are kept, innermost first.
inline constexpr std::size_t kept_frames = 8;
using Frames = std::array<std::uint64_t, kept_frames>;

/// Must be called once before the others, and before a signal handler calls frames_here(): the first use of the
/// unwinder loads a library.
void prepare();
/// Return addresses of the calling thread outside this library and libcudart. The rest is 0.
Frames frames_here();
/// Code of `address` is part of CUDA's stand-ins.
void add_own_library(std::uint64_t address);

/// The call that this thread is in: set by api_call(), and while work runs by WorkQueue.
struct Call {
  std::uint32_t site = 0;
  std::uint32_t correlation = 0;
  const std::string* kernel = nullptr;  ///< mangled name of the kernel that the call launches; null: none
};
Call& current();
/// A number for this call of the program. Equal calls from the same place have the same.
std::uint32_t number_of(const char* call, const Frames& frames);
/// E.g. "cudaMemcpy"; empty: no call.
std::string_view call_of(std::uint32_t site);
/// E.g. "in main (prog.cu:31)", with the first function that belongs to neither CUDA's headers nor a library of C.
/// Empty if it is unknown. `kernel`: mangled name of the kernel that the call launches, whose function on the host is
/// passed over.
std::string place(std::uint32_t site, std::string_view kernel = {});
std::string place(const Frames& frames, std::string_view kernel = {});
/// E.g. "cudaMemcpy in main (prog.cu:31)"; "the program" without a site.
std::string describe(std::uint32_t site);

}  // namespace call_sites
}  // namespace warpwalk::simulated
