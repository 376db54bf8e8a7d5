// The linker of code (cuLink...): joins PTX, and compiles it with ptxas where that is installed. Joining machine code
// is not supported, because it takes NVIDIA's nvlink.
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/platform/find_program.h"
#include "core/platform/toolchain/ptxas.h"
#include "instrumentation/simulated/device/fat_binary.h"
#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/jit_options.h"
#include "instrumentation/simulated/driver/join_ptx.h"
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

/// Machine code of the PTX. Where there is no ptxas, an ELF file that holds the PTX, which the simulated GPU loads.
Error compile(Gpu& gpu, LinkState& state, std::string_view ptx, const std::string& name) {
  if (const auto missing = undefined_functions(ptx); !missing.empty())
    return fail(gpu, state, Error::invalid_source,
                fmt::format("cuLinkComplete: undefined reference to {}", missing[0]));
  if (!platform::find_tool("ptxas")) {
    state.result = elf_of_ptx(ptx);
    return Error::success;
  }
  auto compiled = platform::compile_ptx(std::string(ptx), name, *gpu.device.compute_capability);
  if (!compiled) return fail(gpu, state, Error::invalid_ptx, compiled.error());
  state.result = std::move(compiled->cubin);
  return Error::success;
}

Error complete(Gpu& gpu, LinkState& state) {
  // A library only adds what the other code calls. Code that does call it fails when it is compiled or loaded.
  std::vector<const LinkState::Input*> pieces;
  std::vector<std::string_view> texts;
  for (const LinkState::Input& input : state.inputs) {
    if (input.type == LinkInput::library) continue;
    pieces.push_back(&input);
    if (input.type == LinkInput::ptx) texts.push_back(input.bytes);
  }
  if (pieces.empty()) return Error::invalid_value;
  if (pieces.size() > 1 && texts.size() == pieces.size()) {
    const auto joined = join_ptx(texts);
    if (!joined) return fail(gpu, state, Error::invalid_source, "cuLinkComplete: " + joined.error());
    return compile(gpu, state, *joined, "linked code");
  }
  if (pieces.size() > 1)
    return fail(gpu, state, Error::not_supported,
                fmt::format("cuLinkComplete: {} inputs: the simulated GPU links only PTX; give it the code as one "
                            "piece, or link it with nvcc -dlink",
                            pieces.size()));
  const LinkState::Input& code = *pieces.front();
  if (code.type == LinkInput::ptx) return compile(gpu, state, code.bytes, code.name);
  if (code.type == LinkInput::nvvm)
    return fail(gpu, state, Error::not_supported, "cuLinkComplete: NVVM code: not supported by the simulated GPU");
  state.result = code.bytes;
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
    if (bytes != nullptr) *bytes = state->result.size();
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
