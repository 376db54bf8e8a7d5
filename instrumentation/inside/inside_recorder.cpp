#include "instrumentation/inside/inside_recorder.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <utility>

#include <cxxabi.h>

#include "instrumentation/cubin.h"
#include "instrumentation/recording_file.h"
#include "instrumentation/row_codec.h"

namespace warpwalk::instrumentation {
namespace {

constexpr std::size_t most_parameter_bytes = 32764;  // CUDA programming guide, "Function Parameters"

std::string plain_name(const char* symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = text != nullptr && status == 0 ? text : symbol;
  std::free(text);
  return name;
}

}  // namespace

/// The launch that the calling thread is in, if it is recorded.
std::unique_ptr<InsideRecorder::Chosen>& InsideRecorder::of_this_thread() {
  thread_local std::unique_ptr<Chosen> chosen;
  return chosen;
}

InsideRecorder::InsideRecorder(const InsideHost& host, std::vector<InsidePattern> patterns)
    : host_(host), to_(host.to), left_bytes_(host.max_bytes) {
  for (InsidePattern& pattern : patterns) patterns_.push_back({std::move(pattern), 0, {}});
  done_ = patterns_.empty();
}

InsideRecorder::~InsideRecorder() {
  for (const auto& [exec, copy] : graphs_) driver_.graph_destroy(copy);
}

void InsideRecorder::finish() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    done_ = true;
  }
  constexpr timespec millisecond = {0, 1'000'000};
  constexpr int most_waits = 10'000;
  for (int waited = 0; open_ > 0 && waited < most_waits; ++waited) nanosleep(&millisecond, nullptr);
}

void InsideRecorder::load_module(std::string_view bytes) {
  const Cubin cubin = parse_cubin(bytes);
  if (cubin.variables.empty()) return;
  const std::lock_guard lock(mutex_);
  // The texts of assertions and string literals are variables too, but no launch changes them.
  const auto is_text = [](std::string_view variable) {
    return variable.starts_with("$str") || variable.starts_with("__unnamed") ||
           variable.find("__PRETTY_FUNCTION__") != std::string_view::npos;
  };
  for (const CubinFunction& function : cubin.functions) {
    std::set<std::string>& names = variables_[std::string(function.name)];
    for (const std::string_view variable : cubin.variables)
      if (!is_text(variable)) names.emplace(variable);
  }
}

const InsideRecorder::Hits& InsideRecorder::hits_of(const char* symbol) {
  const auto [found, is_new] = hits_.try_emplace(symbol);
  if (is_new) {
    const std::string name = plain_name(symbol);
    for (const Counted& counted : patterns_)
      found->second.push_back(instrumentation::matches(counted.pattern, name) ||
                              instrumentation::matches(counted.pattern, symbol));
  }
  return found->second;
}

bool InsideRecorder::matches(const char* symbol) {
  const std::lock_guard lock(mutex_);
  return std::ranges::count(hits_of(symbol), true) > 0;
}

/// Counts the launch for every pattern that matches it. Returns true if one of them chooses it.
bool InsideRecorder::choose(const char* symbol) {
  const std::lock_guard lock(mutex_);
  const Hits& hits = hits_of(symbol);
  bool chosen = false, more = false;
  const auto is_within = [&](const InsidePattern& pattern) {
    return host_.open_ops != nullptr && std::ranges::any_of(host_.open_ops(host_.session), [&](const auto& op) {
             return instrumentation::matches(pattern, op);
           });
  };
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    Counted& counted = patterns_[i];
    const bool hit = hits[i] || is_within(counted.pattern);
    if (hit && host_.only_last) {
      left_bytes_ = host_.max_bytes;
      return true;
    }
    if (hit) {
      ++counted.seen;
      chosen = chosen ||
               (counted.pattern.each ? counted.kernels.insert(symbol).second : counted.seen == counted.pattern.which);
    }
    more = more || host_.only_last || counted.pattern.each || counted.seen < counted.pattern.which;
  }
  if (!more) done_ = true;
  return chosen;
}

namespace {

void* stream_of(const cupti::CallbackData& call) {
  const std::string_view name = call.function == nullptr ? "" : call.function;
  if (!name.starts_with("cuLaunchKernelEx")) return static_cast<const LaunchKernelParameters*>(call.parameters)->stream;
  const LaunchConfig* const config = static_cast<const LaunchKernelExParameters*>(call.parameters)->config;
  return config == nullptr ? nullptr : config->stream;
}

}  // namespace

bool InsideRecorder::enter_launch(const cupti::CallbackData& call) {
  auto& chosen = of_this_thread();
  chosen.reset();
  if (done_ || call.symbol == nullptr || call.parameters == nullptr) return false;
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(loaded_, true)) usable_ = driver_.load();
  }
  // A launch that is captured into a graph runs with the graph.
  if (int capturing = 0; usable_ && driver_.is_capturing(stream_of(call), &capturing) == 0 && capturing != 0)
    return false;
  if (!choose(call.symbol)) return false;
  {
    const std::lock_guard lock(mutex_);
    if (finished_) return false;
    chosen = std::make_unique<Chosen>();
    chosen->session = host_.session;
    chosen->number = ++last_number_;
    ++open_;
  }
  chosen->thread = thread_id();
  chosen->correlation = call.correlation;
  to_.add(InsideWork{host_.now(), chosen->thread});
  const bool recorded = record_launch(*chosen, call);
  chosen->launched = host_.now();
  to_.add(InsideWorkEnd{chosen->launched, chosen->thread});
  if (recorded) return true;
  chosen.reset();
  --open_;
  return false;
}

bool InsideRecorder::record_launch(Chosen& chosen, const cupti::CallbackData& call) {
  const auto refuse = [&](std::string_view why) {
    to_.add(ErrorRow{0, 0, "a launch of " + plain_name(call.symbol) + " is not recorded inside: " + std::string(why)});
    return false;
  };
  if (!usable_) return refuse("the CUDA driver lacks functions that it needs");
  InsideLaunch row;
  row.number = chosen.number;
  row.correlation = chosen.correlation;
  row.entry = call.symbol;
  void* function = nullptr;
  void** parameters = nullptr;
  void** extra = nullptr;
  const std::string_view name = call.function == nullptr ? "" : call.function;
  if (name.starts_with("cuLaunchKernelEx")) {
    const auto& launch = *static_cast<const LaunchKernelExParameters*>(call.parameters);
    if (launch.config == nullptr) return refuse("it has no configuration");
    const LaunchConfig& config = *launch.config;
    std::copy_n(config.grid, 3, row.grid.begin());
    std::copy_n(config.block, 3, row.block.begin());
    row.dynamic_shared = config.shared_bytes;
    function = launch.function;
    parameters = launch.parameters;
    extra = launch.extra;
    for (std::uint32_t i = 0; i < config.count && config.attributes != nullptr; ++i) {
      const LaunchAttribute& attribute = config.attributes[i];
      if (attribute.id == attribute_cluster) std::copy_n(attribute.value.cluster, 3, row.cluster.begin());
      if (attribute.id == attribute_cooperative) row.cooperative = attribute.value.cooperative != 0;
    }
  } else {
    const auto& launch = *static_cast<const LaunchKernelParameters*>(call.parameters);
    std::copy_n(launch.grid, 3, row.grid.begin());
    std::copy_n(launch.block, 3, row.block.begin());
    row.dynamic_shared = launch.shared_bytes;
    row.cooperative = name.starts_with("cuLaunchCooperative");
    function = launch.function;
    parameters = launch.parameters;
    if (row.cooperative == 0) extra = launch.extra;
  }
  if (const int failed = driver_.synchronize(); failed != 0)
    return refuse("the work before it failed (CUDA error " + std::to_string(failed) + ")");
  if (!record_parameters(chosen, function, parameters, extra))
    return refuse("the driver does not tell the sizes of its parameters");
  to_.add(row);
  add_parts(chosen, InsidePart::parameters, 0, 0,
            {reinterpret_cast<const char*>(chosen.parameters.data()), chosen.parameters.size()});
  const std::vector<Variable> variables = variables_of(function, call.symbol);
  record_variables(chosen, variables);
  read_memory(chosen, chosen.parameters, variables);
  write_before(chosen);
  return true;
}

bool InsideRecorder::record_parameters(Chosen& chosen, void* function, void** parameters, void** extra) {
  if (parameters == nullptr && extra != nullptr) {
    // CU_LAUNCH_PARAM_BUFFER_POINTER and CU_LAUNCH_PARAM_BUFFER_SIZE, each followed by its value; 0 ends the list.
    const void* buffer = nullptr;
    std::size_t bytes = 0;
    for (std::size_t i = 0; extra[i] != nullptr; i += 2) {
      if (extra[i] == reinterpret_cast<void*>(1)) buffer = extra[i + 1];
      if (extra[i] == reinterpret_cast<void*>(2)) bytes = *static_cast<const std::size_t*>(extra[i + 1]);
    }
    if (buffer == nullptr || bytes > most_parameter_bytes) return false;
    chosen.parameters.resize(bytes);
    std::memcpy(chosen.parameters.data(), buffer, bytes);
    return true;
  }
  // The runtime passes a CUkernel where the driver takes a CUfunction.
  auto* info = driver_.function_parameter;
  std::size_t offset = 0, bytes = 0;
  constexpr int out_of_range = 1;  // CUDA_ERROR_INVALID_VALUE: no such parameter
  for (std::size_t i = 0;; ++i) {
    int result = info == nullptr ? -1 : info(function, i, &offset, &bytes);
    if (result != 0 && i == 0 && driver_.kernel_parameter != nullptr) {
      info = driver_.kernel_parameter;
      result = info(function, i, &offset, &bytes);
    }
    if (result == out_of_range) return true;
    if (result != 0 || parameters == nullptr || offset + bytes > most_parameter_bytes) return false;
    chosen.parameters.resize(std::max(chosen.parameters.size(), offset + bytes));
    std::memcpy(chosen.parameters.data() + offset, parameters[i], bytes);
  }
}

std::vector<InsideRecorder::Variable> InsideRecorder::variables_of(void* function, std::string_view symbol) {
  void* module = nullptr;
  if (driver_.function_module(&module, function) != 0) {
    void* inner = nullptr;
    if (driver_.kernel_function == nullptr || driver_.kernel_function(&inner, function) != 0 ||
        driver_.function_module(&module, inner) != 0)
      return {};
  }
  std::set<std::string> names;
  {
    const std::lock_guard lock(mutex_);
    const auto found = variables_.find(symbol);
    if (found == variables_.end()) return {};
    names = found->second;
  }
  std::vector<Variable> variables;
  for (const std::string& name : names) {
    CudaDriver::Address address = 0;
    std::size_t bytes = 0;
    if (driver_.module_variable(&address, &bytes, module, name.c_str()) != 0 || bytes == 0) continue;
    variables.push_back({name, address, bytes});
  }
  return variables;
}

void InsideRecorder::record_variables(Chosen& chosen, const std::vector<Variable>& variables) {
  std::uint32_t index = 0;
  for (const Variable& variable : variables) {
    std::vector<std::uint8_t> contents(variable.bytes);
    const std::lock_guard lock(mutex_);
    if (variable.bytes > left_bytes_ || driver_.copy_to_host(contents.data(), variable.address, contents.size()) != 0) {
      note(chosen,
           "the contents of variable " + variable.name + ": " + std::to_string(variable.bytes) + " bytes do not fit");
      continue;
    }
    left_bytes_ -= variable.bytes;
    add_parts(chosen, InsidePart::name, index, 0, variable.name);
    add_parts(chosen, InsidePart::variable, index++, 0,
              {reinterpret_cast<const char*>(contents.data()), contents.size()});
  }
}

int InsideRecorder::exit_launch(const cupti::CallbackData& call) {
  auto& chosen = of_this_thread();
  // An earlier recording may have ended while this thread was in the launch.
  if (chosen == nullptr || chosen->session != host_.session || call.correlation != chosen->correlation) return 0;
  to_.add(InsideWork{host_.now(), chosen->thread});
  int result = call.result == nullptr ? 0 : *static_cast<const int*>(call.result);
  if (result == 0) result = driver_.synchronize();
  const std::uint64_t completed = host_.now();
  if (result == 0 && !host_.only_last) result = write_after(*chosen);
  to_.add(InsideEnd{chosen->number, static_cast<std::uint32_t>(result), chosen->launched, completed});
  to_.add(InsideWorkEnd{host_.now(), chosen->thread});
  chosen.reset();
  --open_;
  return result;
}

}  // namespace warpwalk::instrumentation
