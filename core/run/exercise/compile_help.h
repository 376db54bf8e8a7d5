#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpwalk::run {

/// What a student should do about an error of the compiler that is not about the kernel itself: a header for the CPU, a
/// function without __device__, a main(). `message`: the compiler's, without its place; `line`: of the source, 0: not
/// known. Empty if there is nothing better to say than the message.
std::string compile_help(std::string_view source, std::string_view message, std::uint32_t line);

/// What is wrong with a source that has no kernel of the name: "The kernel has to be called amplify; the source has
/// boost." Empty if it has it.
std::string kernel_help(std::string_view source, std::string_view kernel);

}  // namespace warpwalk::run
