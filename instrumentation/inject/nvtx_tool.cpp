#include "instrumentation/inject/nvtx_tool.h"

#include <atomic>
#include <cstddef>
#include <cwchar>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "instrumentation/inject/current_session.h"
#include "instrumentation/inject/nvtx_payload.h"
#include "instrumentation/inject/python_lines.h"
#include "instrumentation/inject/session.h"

namespace warpwalk::instrumentation {
namespace {

// The program sees domains and registered strings as opaque pointers. Here each points to a string that is never freed,
// because NVTX lets the program keep the pointer.
using Registered = std::string;
class Registry {
 public:
  const Registered* find(std::string text) {
    const std::lock_guard lock(mutex_);
    return &*texts_.insert(std::move(text)).first;
  }
  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
  std::set<Registered> texts_;
};
Registry& registry() {
  static Registry* const the_registry = new Registry;
  return *the_registry;
}

// The names that the program gave its threads.
class ThreadNames {
 public:
  void add(std::uint32_t thread, std::string_view text) {
    const std::lock_guard lock(mutex_);
    names_[thread] = text;
  }
  std::map<std::uint32_t, std::string> of_running_threads() {
    const std::lock_guard lock(mutex_);
    std::erase_if(names_, [](const auto& one) {
      std::error_code error;
      return !std::filesystem::exists("/proc/self/task/" + std::to_string(one.first), error);
    });
    return names_;
  }
  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
  std::map<std::uint32_t, std::string> names_;
};
ThreadNames& thread_names() {
  static ThreadNames* const the_names = new ThreadNames;
  return *the_names;
}

PayloadSchemas& schemas() {
  static PayloadSchemas* const the_schemas = new PayloadSchemas;
  return *the_schemas;
}

std::string utf8(const wchar_t* text) {
  std::string out;
  for (; text != nullptr && *text != 0; ++text) base::append_utf8(out, static_cast<char32_t>(*text));
  return out;
}

std::string_view view(const char* text) { return text == nullptr ? std::string_view{} : text; }

// The text of an event; `kept` holds it if it had to be converted.
std::string_view message(const nvtx::EventAttributes* event, std::string& kept) {
  if (!is_recorded() || event == nullptr || event->size < sizeof(nvtx::EventAttributes) || event->message == nullptr)
    return {};
  switch (event->message_type) {
    case nvtx::message_ascii: return view(static_cast<const char*>(event->message));
    case nvtx::message_unicode: return kept = utf8(static_cast<const wchar_t*>(event->message));
    case nvtx::message_registered: return *static_cast<const Registered*>(event->message);
    default: return {};
  }
}

std::uint32_t domain_name(Session& session, const void* domain) {
  return domain == nullptr ? 0 : session.file().name(*static_cast<const Registered*>(domain));
}

// The payload of an event; empty if it has none.
Payload decode_payload(const void* domain, const nvtx::EventAttributes* event) {
  if (event == nullptr || event->size < sizeof(nvtx::EventAttributes) || event->payloads <= 0 ||
      event->payload_type != nvtx::payload_extended)
    return {};
  return schemas().decode(domain, reinterpret_cast<const nvtx::PayloadData*>(event->payload),
                          static_cast<std::size_t>(event->payloads));
}

// Records the payload of the innermost range of the thread, or of a start/end range.
void record_fields(Session& session, const void* domain, const Payload& payload, std::uint64_t range = 0) {
  if (payload.fields.empty()) return;
  const std::uint32_t thread = thread_id(), named = domain_name(session, domain);
  for (const PayloadField& field : payload.fields)
    session.file().add(
        PayloadRow{thread, named, range, session.file().name(field.key), field.kind, field.value, field.text});
}

// Likewise, of a call of the payload extension.
Payload decode_payload(const void* domain, const nvtx::PayloadData* data, std::size_t count) {
  return is_recorded() ? schemas().decode(domain, data, count) : Payload();
}

// The ranges that are open from an earlier session may have ended while the program was not recorded.
std::vector<std::string>& ops_of_this_thread(std::uint64_t session) {
  struct Ops {
    std::uint64_t session = 0;
    std::vector<std::string> names;
  };
  thread_local Ops ops;
  if (ops.session != session) ops = {session, {}};
  return ops.names;
}

// ---- The action of each call. While the program is recorded, the time is taken first; otherwise nothing is done.

// NVTX lets push and pop return the nesting depth. The recorder does not track it and returns 0, as without a tool.
int push(const void* domain, std::string_view text, const Payload& data = {}) {
  if (!is_recorded()) return 0;
  std::uint64_t time = now_ns();
  if (const UsedSession session; session) {
    const std::uint32_t thread = thread_id();
    if (domain == nullptr && PythonLines::the().on()) {
      PythonLines::the().before_range(*session, thread, text);
      time = now_ns();
    }
    if (session->records_inside() && domain == nullptr)
      ops_of_this_thread(session->number()).emplace_back(text.substr(0, text.find(',')));
    session->record_thread_name(thread);
    session->file().add(PushRow{time, thread, domain_name(*session, domain), text});
    record_fields(*session, domain, data);
  }
  return 0;
}

int pop(const void* domain, const Payload& data = {}) {
  if (!is_recorded()) return 0;
  const std::uint64_t time = now_ns();
  if (const UsedSession session; session) {
    record_fields(*session, domain, data);
    if (session->records_inside() && domain == nullptr)
      if (auto& ops = ops_of_this_thread(session->number()); !ops.empty()) ops.pop_back();
    const std::uint32_t thread = thread_id();
    session->file().add(PopRow{time, thread, domain_name(*session, domain)});
    if (domain == nullptr && PythonLines::the().on()) PythonLines::the().after_range(*session, thread);
  }
  return 0;
}

void mark(const void* domain, std::string_view text) {
  if (!is_recorded()) return;
  const std::uint64_t time = now_ns();
  if (const UsedSession session; session)
    session->file().add(MarkRow{time, thread_id(), domain_name(*session, domain), text});
}

std::uint64_t open_range(const void* domain, std::string_view text, const Payload& data = {}) {
  static std::atomic<std::uint64_t> last_id = 0;
  const std::uint64_t id = ++last_id;
  if (!is_recorded()) return id;
  const std::uint64_t time = now_ns();
  if (const UsedSession session; session) {
    session->file().add(RangeStartRow{time, id, thread_id(), domain_name(*session, domain), text});
    record_fields(*session, domain, data, id);
  }
  return id;
}

void close_range(std::uint64_t id, const void* domain = nullptr, const Payload& data = {}) {
  if (!is_recorded()) return;
  const std::uint64_t time = now_ns();
  const UsedSession session;
  if (!session) return;
  record_fields(*session, domain, data, id);
  session->file().add(RangeEndRow{time, id});
}

// ---- The NVTX functions

void mark_ex(const nvtx::EventAttributes* event) {
  std::string kept;
  mark(nullptr, message(event, kept));
}
void mark_a(const char* text) { mark(nullptr, view(text)); }
void mark_w(const wchar_t* text) { mark(nullptr, utf8(text)); }
std::uint64_t range_start_ex(const nvtx::EventAttributes* event) {
  std::string kept;
  return open_range(nullptr, message(event, kept), decode_payload(nullptr, event));
}
std::uint64_t range_start_a(const char* text) { return open_range(nullptr, view(text)); }
std::uint64_t range_start_w(const wchar_t* text) { return open_range(nullptr, utf8(text)); }
void range_end(std::uint64_t id) { close_range(id); }
int range_push_ex(const nvtx::EventAttributes* event) {
  std::string kept;
  return push(nullptr, message(event, kept), decode_payload(nullptr, event));
}
int range_push_a(const char* text) { return push(nullptr, view(text)); }
int range_push_w(const wchar_t* text) { return push(nullptr, utf8(text)); }
int range_pop() { return pop(nullptr); }
void name_os_thread_a(std::uint32_t thread, const char* text) {
  thread_names().add(thread, view(text));
  if (const UsedSession session; session) session->file().add(ThreadRow{thread, view(text)});
}
void domain_mark_ex(const void* domain, const nvtx::EventAttributes* event) {
  std::string kept;
  mark(domain, message(event, kept));
}
std::uint64_t domain_range_start_ex(const void* domain, const nvtx::EventAttributes* event) {
  std::string kept;
  return open_range(domain, message(event, kept), decode_payload(domain, event));
}
void domain_range_end(const void*, std::uint64_t id) { close_range(id); }
int domain_range_push_ex(const void* domain, const nvtx::EventAttributes* event) {
  std::string kept;
  return push(domain, message(event, kept), decode_payload(domain, event));
}
int domain_range_pop(const void* domain) { return pop(domain); }
const void* register_string_a(const void*, const char* text) { return registry().find(std::string(view(text))); }
const void* register_string_w(const void*, const wchar_t* text) { return registry().find(utf8(text)); }
const void* domain_create_a(const char* text) { return registry().find(std::string(view(text))); }
const void* domain_create_w(const wchar_t* text) { return registry().find(utf8(text)); }

// ---- The functions of the payload extension

std::uint64_t register_schema(const void* domain, const nvtx::Schema* schema) { return schemas().add(domain, schema); }
std::uint64_t register_enum(const void* domain, const nvtx::Enum* values) { return schemas().add_enum(domain, values); }
void mark_payload(const void* domain, const nvtx::PayloadData* data, std::size_t count) {
  mark(domain, decode_payload(domain, data, count).message);
}
int range_push_payload(const void* domain, const nvtx::PayloadData* data, std::size_t count) {
  const Payload decoded = decode_payload(domain, data, count);
  return push(domain, decoded.message, decoded);
}
int range_pop_payload(const void* domain, const nvtx::PayloadData* data, std::size_t count) {
  return pop(domain, decode_payload(domain, data, count));
}
std::uint64_t range_start_payload(const void* domain, const nvtx::PayloadData* data, std::size_t count) {
  const Payload decoded = decode_payload(domain, data, count);
  return open_range(domain, decoded.message, decoded);
}
void range_end_payload(const void* domain, std::uint64_t id, const nvtx::PayloadData* data, std::size_t count) {
  close_range(id, domain, decode_payload(domain, data, count));
}
std::uint8_t domain_is_enabled(const void*) { return 1; }

// Installs functions in a table, within the bounds of the table.
class Table {
 public:
  Table(const nvtx::Callbacks& callbacks, nvtx::Module module) {
    good_ = callbacks.get_module_function_table(module, &table_, &size_) != 0 && table_ != nullptr;
  }
  bool good() const { return good_; }
  template <class Call>
  void put(std::uint32_t index, Call* call) {
    if (index < size_ && table_[index] != nullptr) *table_[index] = reinterpret_cast<nvtx::Function>(call);
  }

 private:
  nvtx::FunctionTable table_ = nullptr;
  unsigned size_ = 0;
  bool good_ = false;
};

}  // namespace

bool attach_nvtx(nvtx::GetExportTable get_export_table) {
  if (get_export_table == nullptr) return false;
  const auto* const callbacks = static_cast<const nvtx::Callbacks*>(get_export_table(nvtx::export_table_callbacks));
  if (callbacks == nullptr || callbacks->struct_size < sizeof(nvtx::Callbacks)) return false;
  Table core(*callbacks, nvtx::module_core);
  if (!core.good()) return false;
  core.put(nvtx::core_mark_ex, &mark_ex);
  core.put(nvtx::core_mark_a, &mark_a);
  core.put(nvtx::core_mark_w, &mark_w);
  core.put(nvtx::core_range_start_ex, &range_start_ex);
  core.put(nvtx::core_range_start_a, &range_start_a);
  core.put(nvtx::core_range_start_w, &range_start_w);
  core.put(nvtx::core_range_end, &range_end);
  core.put(nvtx::core_range_push_ex, &range_push_ex);
  core.put(nvtx::core_range_push_a, &range_push_a);
  core.put(nvtx::core_range_push_w, &range_push_w);
  core.put(nvtx::core_range_pop, &range_pop);
  core.put(nvtx::core_name_os_thread_a, &name_os_thread_a);
  Table core2(*callbacks, nvtx::module_core2);
  if (!core2.good()) return true;
  core2.put(nvtx::core2_domain_mark_ex, &domain_mark_ex);
  core2.put(nvtx::core2_domain_range_start_ex, &domain_range_start_ex);
  core2.put(nvtx::core2_domain_range_end, &domain_range_end);
  core2.put(nvtx::core2_domain_range_push_ex, &domain_range_push_ex);
  core2.put(nvtx::core2_domain_range_pop, &domain_range_pop);
  core2.put(nvtx::core2_domain_register_string_a, &register_string_a);
  core2.put(nvtx::core2_domain_register_string_w, &register_string_w);
  core2.put(nvtx::core2_domain_create_a, &domain_create_a);
  core2.put(nvtx::core2_domain_create_w, &domain_create_w);
  return true;
}

bool attach_nvtx_extension(const nvtx::Extension* extension) {
  if (extension == nullptr || extension->struct_size < sizeof(nvtx::Extension)) return false;
  // A module's functions without a slot do nothing. Versions are 0x0103 and 0x0104 so far, with the same structs.
  if (extension->module != nvtx::extension_payload) return true;
  if (extension->compatibility >> 8 != 1) return false;
  const auto put = [&](std::uint32_t slot, auto* call) {
    const nvtx::ExtensionSegment& segment = extension->segments[0];
    if (slot < segment.slot_count) segment.slots[slot] = reinterpret_cast<std::intptr_t>(call);
  };
  if (extension->segment_count == 0 || extension->segments == nullptr) return false;
  put(nvtx::payload_register_schema, &register_schema);
  put(nvtx::payload_register_enum, &register_enum);
  put(nvtx::payload_mark, &mark_payload);
  put(nvtx::payload_range_push, &range_push_payload);
  put(nvtx::payload_range_pop, &range_pop_payload);
  put(nvtx::payload_range_start, &range_start_payload);
  put(nvtx::payload_range_end, &range_end_payload);
  put(nvtx::payload_domain_is_enabled, &domain_is_enabled);
  return true;
}

const std::vector<std::string>& open_ops(std::uint64_t session) { return ops_of_this_thread(session); }

std::map<std::uint32_t, std::string> nvtx_thread_names() { return thread_names().of_running_threads(); }

void nvtx_before_fork() {
  PythonLines::the().before_fork();
  registry().before_fork();
  thread_names().before_fork();
  schemas().before_fork();
}
void nvtx_after_fork() {
  PythonLines::the().after_fork();
  schemas().after_fork();
  thread_names().after_fork();
  registry().after_fork();
}

}  // namespace warpwalk::instrumentation
