// A program that looks like a CUDA program to the recorder. It loads the injected libraries as the CUDA driver and NVTX
// do, launches kernels by calling fake_cupti.cpp, and performs the actions named by its arguments in order. A child
// performs those after "child", or those between "fork" and its "wait".
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrumentation/inject/nvtx_abi.h"

namespace {

namespace nvtx = warpwalk::instrumentation::nvtx;

// This program's NVTX: the function pointers that a tool fills in.
struct Nvtx {
  nvtx::Function core[16] = {}, core2[16] = {};
  nvtx::Function* core_places[16] = {};
  nvtx::Function* core2_places[16] = {};
  Nvtx() {
    for (int i = 1; i < 16; ++i) core_places[i] = &core[i], core2_places[i] = &core2[i];
  }
};
Nvtx& own_nvtx() {
  static Nvtx the_nvtx;
  return the_nvtx;
}

int module_table(std::uint32_t module, nvtx::FunctionTable* table, unsigned* size) {
  *table = module == nvtx::module_core ? own_nvtx().core_places : own_nvtx().core2_places;
  *size = 16;
  return module == nvtx::module_core || module == nvtx::module_core2;
}

const void* export_table(std::uint32_t id) {
  static const nvtx::Callbacks callbacks = {sizeof(nvtx::Callbacks), &module_table};
  return id == nvtx::export_table_callbacks ? &callbacks : nullptr;
}

void* library(const char* variable) {
  const char* const file = std::getenv(variable);
  void* const handle = file == nullptr ? nullptr : dlopen(file, RTLD_LAZY);
  if (file != nullptr && handle == nullptr) std::fprintf(stderr, "%s\n", dlerror());
  return handle;
}

template <class F>
F* function(void* from, const char* name) {
  return reinterpret_cast<F*>(dlsym(from, name));
}

void start_nvtx() {
  if (void* const tool = library("NVTX_INJECTION64_PATH"))
    function<int(nvtx::GetExportTable)>(tool, "InitializeInjectionNvtx2")(&export_table);
}

void start_cuda() {
  if (void* const tool = library("CUDA_INJECTION64_PATH")) function<int()>(tool, "InitializeInjection")();
}

void launch(int times) {
  void* const cupti = dlopen("libcupti.so.13", RTLD_NOW);
  for (int n = 0; cupti != nullptr && n < times; ++n)
    function<void(std::uint32_t)>(cupti, "fake_launch")(static_cast<std::uint32_t>(syscall(SYS_gettid)));
}

void graph(int kernels) {
  if (void* const cupti = dlopen("libcupti.so.13", RTLD_NOW))
    function<void(std::uint32_t, std::uint32_t)>(cupti, "fake_graph")(static_cast<std::uint32_t>(syscall(SYS_gettid)),
                                                                      static_cast<std::uint32_t>(kernels));
}

void fill() {
  if (void* const cupti = dlopen("libcupti.so.13", RTLD_NOW)) function<void()>(cupti, "fake_full")();
}

void load(const char* file) {
  std::ifstream in(file, std::ios::binary);
  const std::string cubin(std::istreambuf_iterator<char>(in), {});
  if (void* const cupti = dlopen("libcupti.so.13", RTLD_NOW))
    function<void(const char*, std::size_t)>(cupti, "fake_load")(cubin.data(), cubin.size());
}

void drop(std::size_t records) {
  if (void* const cupti = dlopen("libcupti.so.13", RTLD_NOW)) function<void(std::size_t)>(cupti, "fake_drop")(records);
}

void push(const char* text) {
  if (auto* const call = reinterpret_cast<int (*)(const char*)>(own_nvtx().core[nvtx::core_range_push_a])) call(text);
}
void pop() {
  if (auto* const call = reinterpret_cast<int (*)()>(own_nvtx().core[nvtx::core_range_pop])) call();
}

// A range in a domain with a registered string, a start/end range, a range with wide characters, and a mark.
void other_ranges() {
  const auto& core = own_nvtx().core;
  const auto& core2 = own_nvtx().core2;
  const void* const domain =
      reinterpret_cast<const void* (*)(const char*)>(core2[nvtx::core2_domain_create_a])("library");
  const void* const text = reinterpret_cast<const void* (*)(const void*, const char*)>(
      core2[nvtx::core2_domain_register_string_a])(domain, "registered");
  nvtx::EventAttributes event{};
  event.version = 3, event.size = sizeof event;
  event.message_type = nvtx::message_registered, event.message = text;
  reinterpret_cast<int (*)(const void*, const nvtx::EventAttributes*)>(core2[nvtx::core2_domain_range_push_ex])(domain,
                                                                                                                &event);
  reinterpret_cast<int (*)(const void*)>(core2[nvtx::core2_domain_range_pop])(domain);
  const auto id =
      reinterpret_cast<std::uint64_t (*)(const char*)>(core[nvtx::core_range_start_a])("from here to there");
  reinterpret_cast<int (*)(const wchar_t*)>(core[nvtx::core_range_push_w])(L"gr\u00fc\u00df \u2192 \U0001F600");
  pop();
  reinterpret_cast<void (*)(std::uint64_t)>(core[nvtx::core_range_end])(id);
  reinterpret_cast<void (*)(const char*)>(core[nvtx::core_mark_a])("a mark");
}

// Registers strings on two threads until the process ends.
void register_strings() {
  for (int n = 0; n < 2; ++n)
    std::thread([] {
      auto* const create =
          reinterpret_cast<const void* (*)(const char*)>(own_nvtx().core2[nvtx::core2_domain_create_a]);
      for (;;) create("a domain");
    }).detach();
}

// Forks a child that performs the arguments from `at` to before `end`. A child that hangs is ended after a minute.
void in_child(int at, int end, char** argv, int (*run)(int, int, char**)) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    std::exit(run(at, end, argv));
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child %d\n", status);
}

// The "wait" that belongs to the "fork" at `at`.
int wait_of(int at, int end, char** argv) {
  int open = 0;
  for (; at < end; ++at) {
    const std::string what = argv[at];
    open += what == "fork" ? 1 : what == "wait" ? -1 : 0;
    if (open == 0) break;
  }
  return at;
}

int run(int at, int argc, char** argv) {
  for (; at < argc; ++at) {
    const std::string what = argv[at];
    if (what == "nvtx")
      start_nvtx();
    else if (what == "cuda")
      start_cuda();
    else if (what.starts_with("launch:"))
      launch(std::atoi(what.c_str() + 7));
    else if (what.starts_with("graph:"))
      graph(std::atoi(what.c_str() + 6));
    else if (what == "fill")
      fill();
    else if (what.starts_with("load:"))
      load(what.c_str() + 5);
    else if (what.starts_with("drop:"))
      drop(static_cast<std::size_t>(std::atoi(what.c_str() + 5)));
    else if (what.starts_with("push:"))
      push(what.c_str() + 5);
    else if (what == "pop")
      pop();
    else if (what == "ranges")
      other_ranges();
    else if (what.starts_with("say:"))
      std::printf("%s\n", what.c_str() + 4), std::fflush(stdout);
    else if (what.starts_with("sleep:"))
      usleep(static_cast<unsigned>(std::atoi(what.c_str() + 6)) * 1000);
    else if (what == "child") {
      in_child(at + 1, argc, argv, &run);
      return 0;
    } else if (what == "fork") {
      const int end = wait_of(at, argc, argv);
      in_child(at + 1, end, argv, &run);
      at = end;
    } else if (what == "strings")
      register_strings();
    else if (what.starts_with("exit:"))
      return std::atoi(what.c_str() + 5);
    else if (what == "abort")
      std::abort();
    else if (what == "kill")
      raise(SIGKILL);
    else if (what == "pause")
      pause();
    else if (what == "catch")
      std::signal(SIGINT, [](int) { _exit(42); });
    else
      return 99;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(1, argc, argv); }
