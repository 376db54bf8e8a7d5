#include "instrumentation/simulated/device/call_site.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>

#include "instrumentation/simulated/device/code_place.h"

namespace warpwalk::simulated::call_sites {
namespace {

/// A library's addresses.
struct CodeRange {
  std::atomic<std::uint64_t> first = 0, end = 0;
};
constexpr std::size_t most_own_ranges = 4;
std::array<CodeRange, most_own_ranges> own_ranges;
std::atomic<std::size_t> own_range_count = 0;

bool is_own(std::uint64_t address) {
  for (std::size_t i = 0; i < own_range_count; ++i)
    if (address >= own_ranges[i].first && address < own_ranges[i].end) return true;
  return false;
}

struct Site {
  std::string call;
  Frames frames{};
  auto operator<=>(const Site&) const = default;
};

struct SiteTable {
  std::mutex mutex;
  std::vector<Site> sites;
  std::map<Site, std::uint32_t> numbers;
};

SiteTable& site_table() {
  static auto& table = *new SiteTable;
  return table;
}

/// Functions between the program's own code and CUDA: what nvcc generates for a launch, templates of CUDA's headers,
/// and libraries of the system.
bool is_between(std::string_view symbol, std::string_view file, std::string_view kernel) {
  if (!kernel.empty() && symbol == kernel) return true;
  if (symbol.find("__device_stub__") != std::string_view::npos) return true;
  // A function of the global namespace whose name begins with cuda, such as the templates of cuda_runtime.h, or with
  // __cuda.
  if (symbol.starts_with("_Z")) {
    std::string_view plain = symbol.substr(symbol.starts_with("_ZL") ? 3 : 2);
    plain.remove_prefix(std::min(plain.find_first_not_of("0123456789"), plain.size()));
    if (plain.starts_with("cuda") || plain.starts_with("__cuda")) return true;
  }
  const std::string_view name = file.substr(file.rfind('/') + 1);
  for (const std::string_view library :
       {"libc.so", "libc-", "libm.so", "libstdc++", "libgcc_s", "ld-linux", "libpthread"})
    if (name.starts_with(library)) return true;
  return false;
}

}  // namespace

void add_own_library(std::uint64_t address) {
  if (is_own(address)) return;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const std::size_t count = own_range_count;
  if (count == most_own_ranges || is_own(address)) return;
  struct Search {
    std::uint64_t address, first, end;
  } search{address, 0, 0};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        std::uint64_t first = ~std::uint64_t{0}, end = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          first = std::min<std::uint64_t>(first, info->dlpi_addr + part.p_vaddr);
          end = std::max<std::uint64_t>(end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
        }
        if (wanted.address < first || wanted.address >= end) return 0;
        wanted.first = first, wanted.end = end;
        return 1;
      },
      &search);
  own_ranges[count].first = search.first;
  own_ranges[count].end = search.end;
  own_range_count = count + 1;
}

void prepare() {
  void* frame = nullptr;
  backtrace(&frame, 1);
  add_own_library(reinterpret_cast<std::uint64_t>(&prepare));
}

Frames frames_here() {
  constexpr int most = 40;
  void* all[most];
  const int count = backtrace(all, most);
  Frames frames{};
  std::size_t kept = 0;
  for (int i = 0; i < count && kept < kept_frames; ++i) {
    const auto address = reinterpret_cast<std::uint64_t>(all[i]);
    if (kept == 0 && is_own(address)) continue;
    frames[kept++] = address;
  }
  return frames;
}

Call& current() {
  thread_local Call call;
  return call;
}

std::uint32_t number_of(const char* call, const Frames& frames) {
  SiteTable& table = site_table();
  const std::lock_guard lock(table.mutex);
  Site site{call, frames};
  const auto [found, is_new] =
      table.numbers.try_emplace(std::move(site), static_cast<std::uint32_t>(table.sites.size() + 1));
  if (is_new) table.sites.push_back(found->first);
  return found->second;
}

std::string_view call_of(std::uint32_t site) {
  SiteTable& table = site_table();
  const std::lock_guard lock(table.mutex);
  // The map's keys stay where they are.
  return site == 0 ? std::string_view() : std::string_view(table.numbers.find(table.sites[site - 1])->first.call);
}

std::string place(const Frames& frames, std::string_view kernel) {
  std::uint64_t first = 0;
  for (const std::uint64_t frame : frames) {
    if (frame == 0) break;
    // A return address is behind its call.
    const std::string symbol = code_symbol(frame - 1);
    if (first == 0) first = frame;
    if (is_own(frame - 1)) continue;
    if (!is_between(symbol, code_file(frame - 1), kernel)) return "in " + find_code(frame - 1).text;
  }
  return first == 0 ? std::string() : "in " + find_code(first - 1).text;
}

std::string place(std::uint32_t site, std::string_view kernel) {
  if (site == 0) return {};
  Frames frames{};
  {
    SiteTable& table = site_table();
    const std::lock_guard lock(table.mutex);
    frames = table.sites[site - 1].frames;
  }
  return place(frames, kernel);
}

std::string describe(std::uint32_t site) {
  if (site == 0) return "the program";
  const std::string where = place(site);
  return where.empty() ? std::string(call_of(site)) : fmt::format("{} {}", call_of(site), where);
}

}  // namespace warpwalk::simulated::call_sites
