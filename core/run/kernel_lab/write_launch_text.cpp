// The text of a launch file, as launch_text.h describes it.
#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/run/kernel_lab/launch_text.h"
#include "core/run/launch/cycles.h"

namespace warpwalk::run {
namespace {

std::string shape_text(const std::array<std::uint32_t, 3>& shape) {
  if (shape[2] != 1) return fmt::format("{} x {} x {}", shape[0], shape[1], shape[2]);
  return shape[1] != 1 ? fmt::format("{} x {}", shape[0], shape[1]) : fmt::format("{}", shape[0]);
}

std::string content_text(const BufferSpec& buffer, const std::filesystem::path& folder) {
  if (const auto* const file = std::get_if<std::filesystem::path>(&buffer.content)) {
    std::error_code ignored;
    if (folder.empty() && *file == recorded_file(buffer.name)) return " recorded";
    return " file " + std::filesystem::absolute(folder / *file, ignored).lexically_normal().string();
  }
  const auto* const fill = std::get_if<Fill>(&buffer.content);
  if (fill == nullptr) return "";
  if (const auto* const random = std::get_if<FillRandom>(fill)) return fmt::format(" random {}", random->seed);
  if (std::holds_alternative<FillIota>(*fill)) return " iota";
  return " " + ops::text_of(buffer.dtype, std::get<FillValue>(*fill).bits);
}

std::uint64_t bits_of(const std::vector<std::uint8_t>& bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 8; ++i) bits |= std::uint64_t{bytes[i]} << (8 * i);
  return bits;
}

/// What a launch text has no words for; nullopt if it can express the launch.
std::optional<std::string> inexpressible(const LaunchFile& file) {
  if (!file.textures.empty()) return "the Kernel lab has no textures and surfaces; run this launch with simulate";
  for (const BufferSpec& buffer : file.buffers)
    if (!buffer.written.empty() || std::holds_alternative<StructSpec>(buffer.content))
      return fmt::format(
          "the Kernel lab has no {} ({}); run this launch with simulate",
          buffer.variable.empty() ? "partly written buffers or buffers of addresses" : "addresses in variables",
          buffer.name);
  for (const ArgumentSpec& argument : file.arguments)
    if (std::ranges::any_of(argument.addresses, [](const AddressSpec& one) { return !one.buffer || one.at % 8 != 0; }))
      return "the Kernel lab has no addresses of functions or of variables; run this launch with simulate";
  return {};
}

class LaunchTextWriter {
 public:
  LaunchTextWriter(const LaunchFile& file, const std::filesystem::path& folder,
                   const std::vector<std::string>& scalar_names)
      : file_(file), folder_(folder), scalar_names_(scalar_names), described_(file.buffers.size()) {}

  std::string text() {
    add_shape();
    for (std::size_t i = 0; i < file_.arguments.size(); ++i)
      if (file_.arguments[i].buffer)
        add_pointer(file_.buffers[*file_.arguments[i].buffer].name, *file_.arguments[i].buffer,
                    file_.arguments[i].offset);
      else
        add_value(i);
    for (const BufferSpec& buffer : file_.buffers)
      if (!buffer.variable.empty() && !std::holds_alternative<Unwritten>(buffer.content))
        text_ += fmt::format("variable {}: {}\n", buffer.variable, elements_text(buffer, ""));
    return std::move(text_);
  }

 private:
  void add_shape() {
    text_ =
        fmt::format("kernel {}\ngrid   {}\nblock  {}\n", file_.kernel, shape_text(file_.grid), shape_text(file_.block));
    if (file_.cluster) text_ += fmt::format("cluster {}\n", shape_text(*file_.cluster));
    if (file_.nonportable_cluster) text_ += "nonportable_cluster\n";
    if (file_.cooperative) text_ += "cooperative\n";
    if (file_.dynamic_shared_bytes != 0) text_ += fmt::format("shared {}\n", file_.dynamic_shared_bytes);
    if (file_.registers) text_ += fmt::format("registers {}\n", *file_.registers);
    if (!file_.gpu.empty()) text_ += fmt::format("gpu    {}\n", file_.gpu);
    if (file_.caches) text_ += fmt::format("caches {}\n", name_of(*file_.caches));
    text_ += "\n";
  }

  std::string elements_text(const BufferSpec& buffer, const std::string& offset) const {
    return fmt::format("{}[{}]{}{}", name_of(buffer.dtype), buffer.count, offset, content_text(buffer, folder_));
  }

  void add_pointer(const std::string& name, std::size_t number, std::uint64_t offset) {
    const std::string behind = offset == 0 ? "" : fmt::format(" + {}", offset);
    text_ += fmt::format("{}: {}\n", name,
                         described_[number] ? "again" + behind : elements_text(file_.buffers[number], behind));
    described_[number] = true;
  }

  void add_value(std::size_t i) {
    const ArgumentSpec& argument = file_.arguments[i];
    const std::string letter(1, "nmkabcdefgh"[std::min<std::size_t>(scalars_++, 10)]);
    const bool named = i < scalar_names_.size() && !scalar_names_[i].empty();
    const std::string name = named ? scalar_names_[i] : argument.addresses.empty() ? letter : fmt::format("s{}", i);
    if (argument.dtype) {
      text_ += fmt::format("{}: {} {}\n", name, name_of(*argument.dtype),
                           ops::text_of(*argument.dtype, bits_of(argument.bytes)));
      return;
    }
    text_ += fmt::format("{}: bytes {:02x}\n", name, fmt::join(argument.bytes, ""));
    for (const AddressSpec& address : argument.addresses) {
      const std::string& buffer = file_.buffers[*address.buffer].name;
      const std::string place = fmt::format("{}.{}", name, address.at);
      add_pointer(buffer == place ? place : fmt::format("{} {}", place, buffer), *address.buffer, address.offset);
    }
  }

  const LaunchFile& file_;
  const std::filesystem::path& folder_;
  const std::vector<std::string>& scalar_names_;
  std::vector<bool> described_;
  std::size_t scalars_ = 0;
  std::string text_;
};

}  // namespace

std::variant<std::string, LaunchTextError> launch_text(const LaunchFile& file, const std::filesystem::path& folder,
                                                       const std::vector<std::string>& scalar_names) {
  if (auto why = inexpressible(file)) return LaunchTextError{*std::move(why)};
  return LaunchTextWriter(file, folder, scalar_names).text();
}

}  // namespace warpwalk::run
