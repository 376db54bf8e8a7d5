#include "instrumentation/armed/ops.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include <elf.h>
#include <link.h>
#include <unwind.h>

namespace warpwalk::armed {
namespace {

/// Takes the first name of a mangled one: "5applyEv" gives "apply" and leaves "Ev". Itanium C++ ABI, "Mangling".
std::optional<std::string_view> take_name(std::string_view& mangled) {
  std::size_t length = 0, digits = 0;
  constexpr std::size_t most_digits = 4;
  while (digits < mangled.size() && digits < most_digits && std::isdigit(static_cast<unsigned char>(mangled[digits])))
    length = length * 10 + static_cast<std::size_t>(mangled[digits++] - '0');
  if (digits == 0 || length > mangled.size() - digits) return {};
  const std::string_view name = mangled.substr(digits, length);
  mangled.remove_prefix(digits + length);
  return name;
}

bool take(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

/// The operator whose call() or redispatch() this is, or the node whose apply() it is.
struct NamedFunction {
  std::string_view name;
  bool is_node = false;
};
std::optional<NamedFunction> read_symbol(std::string_view mangled) {
  if (take(mangled, "_ZN2at4_ops")) {
    const auto name = take_name(mangled);
    if (name && (mangled.starts_with("4call") || mangled.starts_with("10redispatch")))
      return NamedFunction{*name, false};
  } else if (take(mangled, "_ZN5torch8autograd")) {
    take(mangled, "9generated");
    const auto name = take_name(mangled);
    if (name && mangled.starts_with("5applyE")) return NamedFunction{*name, true};
  }
  return {};
}

/// The number of a library's symbols, which only its hash table tells: the last chain's last entry. The format:
/// https://flapenguin.me/elf-dt-gnu-hash
std::size_t symbol_count(const std::uint32_t* table) {
  const std::uint32_t buckets = table[0], first = table[1], bloom_words = table[2];
  constexpr std::uint32_t header = 4, words_of_bloom = 2;
  const std::uint32_t* const bucket = table + header + bloom_words * words_of_bloom;
  const std::uint32_t* const chain = bucket + buckets;
  std::uint32_t last = buckets == 0 ? 0 : *std::max_element(bucket, bucket + buckets);
  if (last < first) return first;
  while ((chain[last - first] & 1) == 0) ++last;
  return last + std::size_t{1};
}

struct Frame {
  std::uintptr_t place = 0;  ///< in the stack, of the address to which the function called from here returns
  std::uintptr_t address = 0;
};

constexpr std::size_t most_unwound = 64;

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* to) {
  auto& frames = *static_cast<std::vector<Frame>*>(to);
  // The caller's stack begins behind the return address (x86-64 psABI, "The Stack Frame").
  frames.push_back({_Unwind_GetCFA(context) - sizeof(std::uintptr_t), _Unwind_GetIP(context)});
  return frames.size() < most_unwound ? _URC_NO_REASON : _URC_END_OF_STACK;
}

std::uintptr_t stack_word(std::uintptr_t address) {
  std::uintptr_t word = 0;
  std::memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  return word;
}

}  // namespace

void Ops::add_functions(std::uintptr_t base, const void* dynamic_section) {
  const Elf64_Sym* symbols = nullptr;
  const char* texts = nullptr;
  const std::uint32_t* hashes = nullptr;
  for (const auto* entry = static_cast<const Elf64_Dyn*>(dynamic_section); entry->d_tag != DT_NULL; ++entry) {
    const auto at = reinterpret_cast<const void*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_SYMTAB) symbols = static_cast<const Elf64_Sym*>(at);
    if (entry->d_tag == DT_STRTAB) texts = static_cast<const char*>(at);
    if (entry->d_tag == DT_GNU_HASH) hashes = static_cast<const std::uint32_t*>(at);
  }
  if (symbols == nullptr || texts == nullptr || hashes == nullptr) return;
  const std::size_t count = symbol_count(hashes);
  for (std::size_t i = 0; i < count; ++i) {
    if (symbols[i].st_shndx == SHN_UNDEF || symbols[i].st_size == 0) continue;
    if (const auto found = read_symbol(texts + symbols[i].st_name)) {
      const std::uintptr_t begin = base + symbols[i].st_value;
      functions_.push_back({begin, begin + symbols[i].st_size, std::string(found->name), found->is_node});
    }
  }
}

void Ops::start(std::string_view names) {
#ifdef __x86_64__
  const std::lock_guard lock(mutex_);
  if (started_) return;
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* self) {
        if (std::strstr(library->dlpi_name, "libtorch_cpu") == nullptr) return 0;
        for (int i = 0; i < library->dlpi_phnum; ++i)
          if (library->dlpi_phdr[i].p_type == PT_DYNAMIC)
            static_cast<Ops*>(self)->add_functions(
                library->dlpi_addr, reinterpret_cast<const void*>(library->dlpi_addr + library->dlpi_phdr[i].p_vaddr));
        return 0;
      },
      this);
  std::ranges::sort(functions_, {}, &Function::begin);
  // A class has the operator's name with its overload's: sum_dim_IntList, of aten::sum.dim_IntList.
  std::unordered_map<std::string, std::string_view> by_class;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find('\n'));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    constexpr std::string_view space = "aten::";
    if (!name.starts_with(space)) continue;
    std::string of_class(name.substr(space.size()));
    std::ranges::replace(of_class, '.', '_');
    by_class.emplace(std::move(of_class), name);
  }
  for (Function& function : functions_) {
    if (function.is_node) continue;
    const auto found = by_class.find(function.name);
    function.name = found == by_class.end() ? "at::_ops::" + function.name : std::string(found->second);
  }
  started_ = !functions_.empty();
#else
  static_cast<void>(names);
#endif
}

const Ops::Function* Ops::function_at(std::uintptr_t address) const {
  const auto after = std::ranges::upper_bound(functions_, address, {}, &Function::begin);
  if (after == functions_.begin()) return nullptr;
  const Function& function = *std::prev(after);
  return address < function.end ? &function : nullptr;
}

std::uint32_t Ops::op_of(Ring& ring, const Launch& launch) {
  if (!started_) return 0;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::lock_guard lock(mutex_);
  constexpr std::size_t most_known = 65536;
  if (known_.size() > most_known) known_.clear();  // of threads that have ended
  std::vector<Known>& known = known_[{here, launch}];
  // If the stack is as deep and holds the same return addresses as before, the callers are the same.
  for (const Known& one : known)
    if (std::ranges::all_of(one.returns, [](const Return& place) { return stack_word(place.place) == place.to; }))
      return one.op;
  std::vector<Frame> frames;
  frames.reserve(most_unwound);
  _Unwind_Backtrace(&add_frame, &frames);
  const Function *op = nullptr, *node = nullptr;
  Known found;
  bool is_sure = true;
  for (const Frame& frame : frames) {
    if (frame.place <= here) continue;  // functions called from this one
    is_sure = is_sure && stack_word(frame.place) == frame.address;
    found.returns.push_back({frame.place, frame.address});
    const Function* const function = function_at(frame.address - 1);  // the call is before the place of return
    if (function == nullptr) continue;
    if (op == nullptr && !function->is_node) op = function;
    if (function->is_node) node = function;
    if (node != nullptr || (op != nullptr && !launch.with_node)) break;
  }
  if (op != nullptr || node != nullptr)
    found.op = ring.text(node == nullptr ? op->name : op == nullptr ? node->name : op->name + " in " + node->name);
  constexpr std::size_t most_chains = 32;
  const std::uint32_t text = found.op;
  if (is_sure && known.size() < most_chains) known.push_back(std::move(found));
  return text;
}

}  // namespace warpwalk::armed
