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
#include <vector>

#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrumentation/inject/nvtx_abi.h"
#include "tests/instrumentation/fake_self_recording.h"

namespace {

using namespace warpwalk::testing;
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

// The functions of NVTX's payload extension, which the tool puts into the slots.
std::intptr_t payload_slots[64] = {};

void start_nvtx() {
  void* const tool = library("NVTX_INJECTION64_PATH");
  if (tool == nullptr) return;
  function<int(nvtx::GetExportTable)>(tool, "InitializeInjectionNvtx2")(&export_table);
  nvtx::ExtensionSegment segment = {0, 64, payload_slots};
  const nvtx::Extension extension = {3,       sizeof extension, nvtx::extension_payload, 0x0103, 1, &segment,
                                     nullptr, nullptr};
  function<int(const nvtx::Extension*)>(tool, "InitializeInjectionNvtxExtension")(&extension);
}

template <class F>
F* payload_function(nvtx::PayloadCall call) {
  return reinterpret_cast<F*>(payload_slots[call]);
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

// A range in a domain with a string, both of which are made only once.
void registered_range() {
  const auto& core2 = own_nvtx().core2;
  static const void* const domain =
      reinterpret_cast<const void* (*)(const char*)>(core2[nvtx::core2_domain_create_a])("first made");
  static const void* const text = reinterpret_cast<const void* (*)(const void*, const char*)>(
      core2[nvtx::core2_domain_register_string_a])(domain, "first registered");
  nvtx::EventAttributes event{};
  event.version = 3, event.size = sizeof event;
  event.message_type = nvtx::message_registered, event.message = text;
  reinterpret_cast<int (*)(const void*, const nvtx::EventAttributes*)>(core2[nvtx::core2_domain_range_push_ex])(domain,
                                                                                                                &event);
  reinterpret_cast<int (*)(const void*)>(core2[nvtx::core2_domain_range_pop])(domain);
}

void name_thread(const char* text) {
  reinterpret_cast<void (*)(std::uint32_t, const char*)>(own_nvtx().core[nvtx::core_name_os_thread_a])(
      static_cast<std::uint32_t>(syscall(SYS_gettid)), text);
}

// What threads of the program do while it begins and ends recordings.
void work_once() {
  push("aten::busy");
  launch(1);
  static void* const cupti = dlopen("libcupti.so.13", RTLD_NOW);
  function<void(const char*, std::size_t)>(cupti, "fake_load")("no cubin", 8);
  registered_range();
  pop();
}

// ---- Ranges as NCCL 2.28 makes them, of one communicator whose ranks are those of the environment.

constexpr std::uint64_t communicator = 0xfeed, init_schema = nvtx::static_schemas, reduce_schema = init_schema + 5,
                        operations = init_schema + 24;

const void* nccl() {
  return reinterpret_cast<const void* (*)(const char*)>(own_nvtx().core2[nvtx::core2_domain_create_a])("NCCL");
}

template <std::size_t N>
void add_schema(const nvtx::SchemaField (&fields)[N], std::size_t bytes, std::uint64_t id) {
  const nvtx::Schema schema = {
      nvtx::schema_fields_given | nvtx::schema_count_given | nvtx::schema_size_given | nvtx::schema_id_given,
      nullptr,
      1,
      0,
      fields,
      N,
      bytes,
      0,
      id,
      nullptr};
  payload_function<std::uint64_t(const void*, const nvtx::Schema*)>(nvtx::payload_register_schema)(nccl(), &schema);
}

void push_nccl(const char* name, const nvtx::PayloadData* payload) {
  nvtx::EventAttributes event{};
  event.version = 3, event.size = sizeof event;
  event.message_type = nvtx::message_ascii, event.message = name;
  if (payload != nullptr) {
    event.payload_type = nvtx::payload_extended, event.payloads = 1;
    event.payload = reinterpret_cast<std::uint64_t>(payload);
  }
  reinterpret_cast<int (*)(const void*, const nvtx::EventAttributes*)>(
      own_nvtx().core2[nvtx::core2_domain_range_push_ex])(nccl(), &event);
}

// NCCL gives this range its payload at its end.
void init_communicator() {
  struct Init {
    std::uint64_t communicator;
    int ranks, rank, device;
  } const data = {communicator, std::atoi(std::getenv("WORLD_SIZE")), std::atoi(std::getenv("RANK")), 0};
  const nvtx::SchemaField fields[] = {
      {0, nvtx::type_uint64, "NCCL communicator ID", nullptr, 0, 0, nullptr, nullptr},
      {0, nvtx::type_int, "No. of ranks", nullptr, 0, offsetof(Init, ranks), nullptr, nullptr},
      {0, nvtx::type_int, "Rank", nullptr, 0, offsetof(Init, rank), nullptr, nullptr},
      {0, nvtx::type_int, "CUDA device", nullptr, 0, offsetof(Init, device), nullptr, nullptr}};
  push_nccl("ncclCommInitRankConfig", nullptr);
  add_schema(fields, sizeof data, init_schema);
  const nvtx::PayloadData payload = {init_schema, sizeof data, &data};
  payload_function<int(const void*, const nvtx::PayloadData*, std::size_t)>(nvtx::payload_range_pop)(nccl(), &payload,
                                                                                                     1);
}

void all_reduce(std::size_t bytes) {
  struct Reduce {
    std::uint64_t communicator;
    std::size_t bytes;
    int operation;
  } const data = {communicator, bytes, 0};
  const nvtx::SchemaField fields[] = {
      {0, nvtx::type_uint64, "NCCL communicator ID", nullptr, 0, 0, nullptr, nullptr},
      {0, nvtx::type_size, "Message size [bytes]", nullptr, 0, offsetof(Reduce, bytes), nullptr, nullptr},
      {0, operations, "Reduction operation", nullptr, 0, offsetof(Reduce, operation), nullptr, nullptr}};
  const nvtx::EnumValue names[] = {{"Sum", 0, 0}, {"Product", 1, 0}};
  const nvtx::Enum values = {
      nvtx::enum_values_given | nvtx::enum_count_given | nvtx::enum_size_given | nvtx::enum_id_given,
      nullptr,
      names,
      2,
      sizeof(int),
      operations,
      nullptr};
  payload_function<std::uint64_t(const void*, const nvtx::Enum*)>(nvtx::payload_register_enum)(nccl(), &values);
  add_schema(fields, sizeof data, reduce_schema);
  const nvtx::PayloadData payload = {reduce_schema, sizeof data, &data};
  push_nccl("ncclAllReduce", &payload);
  launch(1);
  reinterpret_cast<int (*)(const void*)>(own_nvtx().core2[nvtx::core2_domain_range_pop])(nccl());
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

// Replaces this process by the program with the arguments from `at` to before `end`.
void become(int at, int end, char** argv) {
  std::vector<char*> words(argv + at, argv + end);
  words.insert(words.begin(), argv[0]);
  words.push_back(nullptr);
  execv("/proc/self/exe", words.data());
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
    else if (what == "registered")
      registered_range();
    else if (what.starts_with("name:"))
      name_thread(what.c_str() + 5);
    else if (what.starts_with("begin:"))
      begin_recording(what.c_str() + 6);
    else if (what == "end")
      end_recording();
    else if (what.starts_with("often:"))
      record_often(what.c_str() + 6);
    else if (what == "take")
      take_cupti();
    else if (what == "give")
      give_cupti();
    else if (what == "cupti")
      report_cupti();
    else if (what == "driver")
      dlopen("libcuda.so.1", RTLD_NOW);
    else if (what.starts_with("threads:"))
      start_threads(std::atoi(what.c_str() + 8), &work_once);
    else if (what == "stop")
      stop_threads();
    else if (what.starts_with("run:"))
      std::printf("ran %d\n", std::system(what.c_str() + 4)), std::fflush(stdout);
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
    } else if (what == "exec")
      become(at + 1, argc, argv);
    else if (what.starts_with("env:")) {
      const std::size_t equals = what.find('=');
      setenv(what.substr(4, equals - 4).c_str(), what.c_str() + equals + 1, 1);
    } else if (what == "communicator")
      init_communicator();
    else if (what.starts_with("allreduce:"))
      all_reduce(static_cast<std::size_t>(std::atoll(what.c_str() + 10)));
    else if (what == "strings")
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
