#include "instrumentation/simulated/device/code_place.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace warpwalk::simulated {
namespace {

struct FileSymbol {
  std::uint64_t value = 0, bytes = 0;
  bool is_code = false;
  std::string name;
};

/// A program or library in memory.
struct LoadedFile {
  std::string path;
  std::uint64_t bias = 0;  ///< from addresses in the file to those in memory
};

std::optional<LoadedFile> loaded_file(std::uint64_t address) {
  struct Search {
    std::uint64_t address;
    std::optional<LoadedFile> found;
  } search{address, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          const std::uint64_t first = info->dlpi_addr + part.p_vaddr;
          if (part.p_type != PT_LOAD || wanted.address < first || wanted.address >= first + part.p_memsz) continue;
          wanted.found = LoadedFile{info->dlpi_name, info->dlpi_addr};
          return 1;
        }
        return 0;
      },
      &search);
  if (search.found && search.found->path.empty()) {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length > 0) search.found->path.assign(path, static_cast<std::size_t>(length));
  }
  return search.found;
}

/// The symbols of an ELF file, by value.
std::vector<FileSymbol> read_symbols(const std::string& path) {
  std::vector<FileSymbol> symbols;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return symbols;
  struct stat state {};
  void* mapped = MAP_FAILED;
  if (fstat(file, &state) == 0 && state.st_size > static_cast<off_t>(sizeof(ElfW(Ehdr))))
    mapped = mmap(nullptr, static_cast<std::size_t>(state.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapped == MAP_FAILED) return symbols;
  const auto size = static_cast<std::uint64_t>(state.st_size);
  const auto* const bytes = static_cast<const char*>(mapped);
  ElfW(Ehdr) header;
  std::memcpy(&header, bytes, sizeof header);
  const auto section = [&](std::uint64_t index) {
    ElfW(Shdr) one{};
    const std::uint64_t at = header.e_shoff + index * sizeof one;
    if (index < header.e_shnum && at + sizeof one <= size) std::memcpy(&one, bytes + at, sizeof one);
    if (one.sh_offset > size || one.sh_size > size - one.sh_offset) one.sh_size = 0;
    return one;
  };
  const auto read_table = [&](std::uint32_t type) {
    for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
      const ElfW(Shdr) table = section(i);
      if (table.sh_type != type) continue;
      const ElfW(Shdr) names = section(table.sh_link);
      for (std::uint64_t at = 0; at + sizeof(ElfW(Sym)) <= table.sh_size; at += sizeof(ElfW(Sym))) {
        ElfW(Sym) symbol;
        std::memcpy(&symbol, bytes + table.sh_offset + at, sizeof symbol);
        const int kind = ELF64_ST_TYPE(symbol.st_info);
        if ((kind != STT_FUNC && kind != STT_OBJECT && kind != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF ||
            symbol.st_name >= names.sh_size)
          continue;
        const char* const name = bytes + names.sh_offset + symbol.st_name;
        symbols.push_back({symbol.st_value, symbol.st_size, kind != STT_OBJECT,
                           std::string(name, strnlen(name, names.sh_size - symbol.st_name))});
      }
    }
  };
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0) {
    read_table(SHT_SYMTAB);
    if (symbols.empty()) read_table(SHT_DYNSYM);
  }
  munmap(mapped, size);
  std::ranges::stable_sort(symbols, {}, &FileSymbol::value);
  return symbols;
}

std::mutex& symbols_mutex() {
  static auto& mutex = *new std::mutex;
  return mutex;
}

std::string symbol_at(std::uint64_t address, bool code) {
  const auto file = loaded_file(address);
  if (!file) return {};
  const std::lock_guard lock(symbols_mutex());
  static auto& tables = *new std::map<std::string, std::vector<FileSymbol>>;
  auto found = tables.find(file->path);
  if (found == tables.end()) found = tables.emplace(file->path, read_symbols(file->path)).first;
  const std::uint64_t value = address - file->bias;
  auto after = std::ranges::upper_bound(found->second, value, {}, &FileSymbol::value);
  // Symbols may be inside others; the nearest one that reaches the address is meant.
  constexpr int most = 64;
  for (int i = 0; i < most && after != found->second.begin(); ++i) {
    --after;
    if (after->is_code == code && value < after->value + std::max<std::uint64_t>(after->bytes, 1)) return after->name;
  }
  return {};
}

std::string program_path(const char* name) {
  const char* const folders = std::getenv("PATH");
  std::string_view rest = folders == nullptr ? "/usr/bin" : folders;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string path = fmt::format("{}/{}", rest.substr(0, end), name);
    if (access(path.c_str(), X_OK) == 0) return path;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

double seconds_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// What a program prints, if it ends in time. Libraries that this process preloads are not loaded into it.
std::string output_of(const std::vector<std::string>& arguments, double limit_s) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  std::vector<char*> argv, environment;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  for (char** one = environ; one != nullptr && *one != nullptr; ++one)
    if (!std::string_view(*one).starts_with("LD_")) environment.push_back(*one);
  environment.push_back(nullptr);
  pid_t child = 0;
  const bool started = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environment.data()) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (started) {
    const double end = seconds_now() + limit_s;
    for (;;) {
      pollfd wait{ends[0], POLLIN, 0};
      const int left = std::max(0, static_cast<int>((end - seconds_now()) * 1000));
      if (poll(&wait, 1, left) <= 0) {
        kill(child, SIGKILL);
        break;
      }
      char part[4096];
      const ssize_t length = read(ends[0], part, sizeof part);
      if (length <= 0) break;
      text.append(part, static_cast<std::size_t>(length));
    }
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close(ends[0]);
  return text;
}

/// "prog.cu:31" of what addr2line prints: a line with a function and one with a place for each function that was
/// inlined there. CUDA's own headers are passed over.
std::string source_line(const LoadedFile& file, std::uint64_t address) {
  static std::mutex mutex;
  static double used_s = 0;
  static int lines = 0;
  static auto& known = *new std::map<std::uint64_t, std::string>;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(address); found != known.end()) return found->second;
  constexpr int most_lines = 100;
  constexpr double most_s = 10, limit_s = 2;
  if (lines++ >= most_lines || used_s > most_s) return {};
  static const std::string tool = program_path("addr2line");
  if (tool.empty()) return {};
  const double begin = seconds_now();
  std::string text = output_of({tool, "-f", "-i", "-e", file.path, fmt::format("{:#x}", address - file.bias)}, limit_s);
  used_s += seconds_now() - begin;
  std::string result;
  for (std::string_view rest = text; !rest.empty() && result.empty();) {
    std::string_view line;
    for (int i = 0; i < 2; ++i) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    line = line.substr(0, line.find(' '));  // " (discriminator 2)"
    if (const std::size_t slash = line.rfind('/'); slash != std::string_view::npos) line.remove_prefix(slash + 1);
    const std::string_view name = line.substr(0, line.find(':'));
    if (name == "??" || line.ends_with(":0") || line.ends_with(":?") || name == "cuda_runtime.h" ||
        name == "cuda_runtime_api.h" || name.ends_with(".cudafe1.cpp") || name == "host_runtime.h")
      continue;
    result = line;
  }
  return known[address] = result;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

struct MappedPart {
  std::uint64_t first = 0, end = 0;
  bool readable = false;
  std::string name;
};

std::optional<MappedPart> mapped_part(std::uint64_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    MappedPart part;
    char access[5] = {};
    int name = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx %4s %*s %*s %*s %n", &part.first, &part.end, access, &name) < 3) continue;
    if (address < part.first || address >= part.end) continue;
    part.readable = access[0] == 'r';
    if (name > 0) part.name = line.substr(std::min(static_cast<std::size_t>(name), line.size()));
    return part;
  }
  return {};
}

}  // namespace

std::string plain_name(std::string name) {
  if (name.starts_with("_Z")) {
    int status = 0;
    char* const plain = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    if (plain != nullptr) name = plain;
    std::free(plain);
  }
  // nvcc names unnamed namespaces and files.
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (const std::string_view generated : {"_GLOBAL__N__", "_INTERNAL_"})
    for (std::size_t at = name.find(generated); at != std::string::npos; at = name.find(generated)) {
      const std::size_t end = name.find("::", at);
      if (end == std::string::npos) break;
      name.erase(at, end + 2 - at);
    }
  for (std::size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed))
    name.erase(at, unnamed.size());
  if (name.find("operator()") != std::string::npos) return name;
  // A template's return type stands before its name.
  const std::size_t end = std::min(name.find('('), name.size());
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == ' ' && depth == 0) begin = i + 1;
  }
  return name.substr(begin, end - begin);
}

std::string code_symbol(std::uint64_t address) { return symbol_at(address, true); }

std::string code_file(std::uint64_t address) {
  const auto file = loaded_file(address);
  return file ? file->path : std::string();
}

CodePlace find_code(std::uint64_t instruction) {
  CodePlace place;
  const auto file = loaded_file(instruction);
  if (!file) {
    place.text = fmt::format("{:#x}", instruction);
    return place;
  }
  place.symbol = symbol_at(instruction, true);
  if (place.symbol.empty()) {
    place.text = fmt::format("{}+{:#x}", file_name(file->path), instruction - file->bias);
    return place;
  }
  place.text = plain_name(place.symbol);
  if (const std::string line = source_line(*file, instruction); !line.empty()) place.text += fmt::format(" ({})", line);
  return place;
}

std::string static_variable(std::uint64_t address) { return plain_name(symbol_at(address, false)); }

std::string host_memory(std::uint64_t address) {
  const auto part = mapped_part(address);
  if (!part || !part->readable) return {};
  if (part->name == "[stack]") return "a variable on the stack of the host";
  if (part->name == "[heap]") return "memory of the host's heap (malloc, new, std::vector)";
  if (const std::string variable = static_variable(address); !variable.empty())
    return fmt::format("the static variable `{}` of the host", variable);
  if (loaded_file(address)) return "a static variable of the host";
  return "memory of the host";
}

std::uint64_t mapping_of(std::uint64_t address) {
  const auto part = mapped_part(address);
  return part ? part->first : 0;
}

}  // namespace warpwalk::simulated
