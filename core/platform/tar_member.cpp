#include "core/platform/tar_member.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/platform/byte_source.h"

namespace warpwalk::platform {
namespace {

constexpr std::size_t tar_block = 512;  // of headers; contents are padded to it
using TarHeader = std::array<char, tar_block>;

/// A text of the header, up to its first NUL.
std::string_view header_text(const TarHeader& header, std::size_t at, std::size_t length) {
  const std::string_view field(header.data() + at, length);
  return field.substr(0, field.find('\0'));
}

/// A number of the header: octal digits, with spaces or NULs around them.
std::optional<std::uint64_t> header_number(const TarHeader& header, std::size_t at, std::size_t length) {
  std::string_view digits = header_text(header, at, length);
  digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
  digits = digits.substr(0, digits.find(' '));
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, 8);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// The sum of the header's bytes, with its own field as spaces.
bool has_right_sum(const TarHeader& header) {
  constexpr std::size_t sum_at = 148, sum_length = 8;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < header.size(); ++i)
    sum += i >= sum_at && i < sum_at + sum_length ? ' ' : static_cast<unsigned char>(header[i]);
  return header_number(header, sum_at, sum_length) == sum;
}

std::string member_name(const TarHeader& header) {
  const std::string_view folder = header_text(header, 345, 155), name = header_text(header, 0, 100);
  return folder.empty() ? std::string(name) : fmt::format("{}/{}", folder, name);
}

/// Whether all of `bytes` could be filled.
bool read_whole(ByteSource& source, std::span<char> bytes) {
  while (!bytes.empty()) {
    const std::size_t count = source.read(bytes.data(), bytes.size());
    if (count == 0) return false;
    bytes = bytes.subspan(count);
  }
  return true;
}

bool skip_whole(ByteSource& source, std::uint64_t bytes) {
  std::array<char, 16384> ignored;
  while (bytes > 0) {
    const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, ignored.size()));
    if (!read_whole(source, std::span(ignored).first(part))) return false;
    bytes -= part;
  }
  return true;
}

}  // namespace

std::optional<TarMember> tar_member(const std::filesystem::path& file) {
  std::filesystem::path archive;
  for (auto part = file.begin(); part != file.end(); ++part) {
    archive /= *part;
    const std::string name = part->string();
    std::error_code ignored;
    if (!(name.ends_with(".tar") || name.ends_with(".tar.gz")) || !std::filesystem::is_regular_file(archive, ignored))
      continue;
    std::filesystem::path rest;
    for (auto after = std::next(part); after != file.end(); ++after) rest /= *after;
    if (!rest.empty()) return TarMember{archive, rest.generic_string()};
  }
  return std::nullopt;
}

base::Result<std::vector<std::uint8_t>> read_tar_member(const TarMember& member, std::uint64_t bytes) {
  const std::string archive = member.archive.string();
  auto opened = open_source(member.archive);
  if (!opened) return base::Error{opened.error()};
  ByteSource& source = **opened;
  TarHeader header;
  while (read_whole(source, header)) {
    if (std::ranges::all_of(header, [](char c) { return c == '\0'; })) break;  // the end of an archive
    const auto size = header_number(header, 124, 12);
    constexpr std::uint64_t max_member = std::uint64_t{1} << 60;  // so that its padding can be added
    if (!has_right_sum(header) || !size || *size > max_member)
      return base::Error{fmt::format("{}: is no tar archive, or a damaged one", archive)};
    const std::uint64_t padded = (*size + tar_block - 1) / tar_block * tar_block;
    const bool regular = header[156] == '0' || header[156] == '\0';
    if (!regular || member_name(header) != member.name) {
      if (!skip_whole(source, padded)) break;
      continue;
    }
    if (*size != bytes)
      return base::Error{fmt::format("{}/{}: has {} bytes but must have {}", archive, member.name, *size, bytes)};
    std::vector<std::uint8_t> out(bytes);
    if (!read_whole(source, std::span(reinterpret_cast<char*>(out.data()), out.size())))
      return base::Error{fmt::format("{}/{}: the archive is truncated or damaged", archive, member.name)};
    return out;
  }
  const ByteSource::End end = source.end();
  if (end != ByteSource::End::none && end != ByteSource::End::complete)
    return base::Error{fmt::format("{}: is truncated or damaged", archive)};
  return base::Error{fmt::format("{}: has no file {}", archive, member.name)};
}

}  // namespace warpwalk::platform
