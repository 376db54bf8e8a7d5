// The linker of code (cuLink...): compiles PTX with ptxas where that is installed. Joining several pieces of code is
// not supported, because it takes NVIDIA's nvlink.
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/platform/find_program.h"
#include "core/platform/toolchain/ptxas.h"
#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/jit_options.h"
#include "instrumentation/simulated/driver/load_code.h"

namespace warpwalk::simulated {

/// A CUlinkState.
struct LinkState {
  struct Input {
    LinkInput type = LinkInput::ptx;
    std::string name, bytes;
  };
  std::vector<int> option_numbers;  ///< of cuLinkCreate
  JitOptions options;               ///< with the caller's values, which are there until cuLinkDestroy
  std::vector<Input> inputs;
  std::string result;
};

namespace {

Error add_input(LinkState* state, LinkInput type, std::string name, std::string bytes) {
  if (type < LinkInput::cubin || type > LinkInput::nvvm) return Error::invalid_value;
  if (type == LinkInput::ptx)
    while (!bytes.empty() && bytes.back() == '\0') bytes.pop_back();
  state->inputs.push_back({type, std::move(name), std::move(bytes)});
  return Error::success;
}

Error fail(Gpu& gpu, const LinkState& state, Error error, const std::string& why) {
  gpu.tell(why);
  state.options.report(why);
  return error;
}

/// Machine code of the PTX, or the PTX itself where there is no ptxas: the simulated GPU loads both.
Error compile(Gpu& gpu, LinkState& state, const LinkState::Input& input) {
  if (!platform::find_tool("ptxas")) {
    state.result = input.bytes;
    return Error::success;
  }
  auto compiled = platform::compile_ptx(input.bytes, input.name, *gpu.device.compute_capability);
  if (!compiled) return fail(gpu, state, Error::invalid_ptx, compiled.error());
  state.result = std::move(compiled->cubin);
  return Error::success;
}

Error complete(Gpu& gpu, LinkState& state) {
  // A library only adds what the other code calls. Code that does call it fails when it is compiled or loaded.
  const LinkState::Input* code = nullptr;
  std::size_t pieces = 0;
  for (const LinkState::Input& input : state.inputs) {
    if (input.type == LinkInput::library) continue;
    code = &input;
    ++pieces;
  }
  if (pieces > 1)
    return fail(
        gpu, state, Error::not_supported,
        fmt::format("cuLinkComplete: {} inputs: the simulated GPU links no code; give it the code as one piece, "
                    "or link it with nvcc -dlink",
                    pieces));
  if (code == nullptr) return Error::invalid_value;
  if (code->type == LinkInput::ptx) return compile(gpu, state, *code);
  if (code->type == LinkInput::nvvm)
    return fail(gpu, state, Error::not_supported, "cuLinkComplete: NVVM code: not supported by the simulated GPU");
  state.result = code->bytes;
  return Error::success;
}

}  // namespace

extern "C" {

CUresult cuLinkCreate_v2(unsigned count, int* options, void** values, CUlinkState* state) {
  return call_in_context("cuLinkCreate_v2", [&](Gpu&) {
    const JitOptions given{count, options, values};
    if (state == nullptr || !given.valid()) return Error::invalid_value;
    auto made = std::make_unique<LinkState>();
    made->option_numbers.assign(options, options + count);
    made->options = {count, made->option_numbers.data(), values};
    *state = made.release();
    return Error::success;
  });
}
[[gnu::alias("cuLinkCreate_v2")]] CUresult cuLinkCreate(unsigned count, int* options, void** values,
                                                        CUlinkState* state);

CUresult cuLinkAddData_v2(CUlinkState state, LinkInput type, void* data, std::size_t bytes, const char* name, unsigned,
                          int*, void**) {
  return call_in_context("cuLinkAddData_v2", [&](Gpu&) {
    if (state == nullptr) return Error::invalid_resource_handle;
    if (data == nullptr || bytes == 0) return Error::invalid_value;
    return add_input(state, type, name == nullptr ? "code" : name, std::string(static_cast<const char*>(data), bytes));
  });
}
[[gnu::alias("cuLinkAddData_v2")]] CUresult cuLinkAddData(CUlinkState state, LinkInput type, void* data,
                                                          std::size_t bytes, const char* name, unsigned count,
                                                          int* options, void** values);

CUresult cuLinkAddFile_v2(CUlinkState state, LinkInput type, const char* file, unsigned, int*, void**) {
  return call_in_context("cuLinkAddFile_v2", [&](Gpu&) {
    if (state == nullptr) return Error::invalid_resource_handle;
    std::string contents;
    if (file == nullptr || !read_code_file(file, contents)) return Error::file_not_found;
    return add_input(state, type, file, std::move(contents));
  });
}
[[gnu::alias("cuLinkAddFile_v2")]] CUresult cuLinkAddFile(CUlinkState state, LinkInput type, const char* file,
                                                          unsigned count, int* options, void** values);

CUresult cuLinkComplete(CUlinkState state, void** code, std::size_t* bytes) {
  return call_in_context("cuLinkComplete", [&](Gpu& gpu) {
    if (state == nullptr) return Error::invalid_resource_handle;
    if (code == nullptr) return Error::invalid_value;
    if (const Error error = complete(gpu, *state); error != Error::success) return error;
    state->options.report({});
    *code = state->result.data();
    // PTX is text that ends with a zero byte, which the caller may copy with the rest.
    const bool is_text = !std::string_view(state->result).starts_with("\177ELF");
    if (bytes != nullptr) *bytes = state->result.size() + (is_text ? 1 : 0);
    return Error::success;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return call_in_context("cuLinkDestroy", [&](Gpu&) {
    if (state == nullptr) return Error::invalid_resource_handle;
    delete state;
    return Error::success;
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
