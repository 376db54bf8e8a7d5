#include "instrumentation/simulated/device/fat_binary.h"

#include <algorithm>
#include <cstring>

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

namespace warpwalk::simulated {
namespace {

/// struct __fatBinC_Wrapper_t of fatbinary_section.h.
struct Wrapper {
  std::int32_t magic, version;
  const void* data;
  const void* file;
};
constexpr std::int32_t wrapper_magic = 0x466243b1;

/// The container and its images, as nvcc 12 and 13 write them.
struct Container {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  ///< of all images behind the header
};
constexpr std::uint32_t container_magic = 0xba55ed50;
struct Image {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;  ///< of the contents behind the header, with padding
  std::uint32_t compressed_bytes;
  std::uint32_t options_offset;
  std::uint16_t minor, major;
  std::uint32_t architecture;
  std::uint32_t name_offset, name_bytes;
  std::uint64_t flags;
  std::uint64_t reserved;
  std::uint64_t bytes_decompressed;  ///< of compressed contents
};
static_assert(sizeof(Image) == 64);
constexpr std::uint16_t kind_ptx = 1, kind_elf = 2;
constexpr std::uint64_t flag_lz4 = 0x2000, flag_zstd = 0x8000;
constexpr std::uint64_t largest_image = std::uint64_t{1} << 31;

template <class T>
T read_at(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// A function of a library that every distribution has; null if this system lacks it.
template <class Function>
Function library_function(const char* library, const char* name) {
  void* const loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return loaded == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(loaded, name));
}

base::Result<std::string> decompress(const Image& image, std::string_view bytes) {
  const base::Error damaged{"the fat binary is damaged: an image cannot be decompressed"};
  if (image.bytes_decompressed > largest_image) return damaged;
  std::string text(image.bytes_decompressed, '\0');
  std::size_t size = 0;
  if ((image.flags & flag_zstd) != 0) {
    // ZSTD_decompress of zstd.h. Its errors are sizes beyond any buffer.
    const auto function = library_function<std::size_t (*)(void*, std::size_t, const void*, std::size_t)>(
        "libzstd.so.1", "ZSTD_decompress");
    if (function == nullptr) return base::Error{"libzstd.so.1 is needed to read the fat binary; install libzstd1"};
    size = function(text.data(), text.size(), bytes.data(), bytes.size());
  } else {
    // LZ4_decompress_safe of lz4.h. Its errors are negative.
    const auto function = library_function<int (*)(const char*, char*, int, int)>("liblz4.so.1", "LZ4_decompress_safe");
    if (function == nullptr) return base::Error{"liblz4.so.1 is needed to read the fat binary; install liblz4-1"};
    size = static_cast<std::size_t>(
        function(bytes.data(), text.data(), static_cast<int>(bytes.size()), static_cast<int>(text.size())));
  }
  if (size > text.size()) return damaged;
  text.resize(size);
  return text;
}

bool is_elf(const char* at) {
  return std::memcmp(at,
                     "\x7f"
                     "ELF",
                     4) == 0;
}

/// The number behind ".target sm_" of a PTX text.
std::uint32_t architecture_of(std::string_view ptx) {
  const std::size_t at = ptx.find(".target sm_");
  std::uint32_t number = 0;
  if (at == std::string_view::npos) return 0;
  for (std::size_t i = at + 11; i < ptx.size() && ptx[i] >= '0' && ptx[i] <= '9'; ++i)
    number = number * 10 + static_cast<std::uint32_t>(ptx[i] - '0');
  return number;
}

CodeImage ptx_image(std::string text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
  const std::uint32_t architecture = architecture_of(text);
  return {true, architecture, std::move(text)};
}

/// EF_CUDA_SM of a cubin: bits 0 to 7 of the flags; in files of ABI version 8, bits 8 to 15.
std::uint32_t architecture_of_elf(const char* at) {
  const auto header = read_at<Elf64_Ehdr>(at);
  constexpr unsigned char recent_abi = 8;
  return header.e_ident[EI_ABIVERSION] >= recent_abi ? (header.e_flags >> 8) & 0xff : header.e_flags & 0xff;
}

/// The section of elf_of_ptx's file that has the PTX.
constexpr std::string_view ptx_section = ".warpwalk.ptx";

/// The PTX of a file that elf_of_ptx has made; empty for others.
std::string_view ptx_of_elf(const char* at) {
  const auto header = read_at<Elf64_Ehdr>(at);
  if (header.e_shnum == 0 || header.e_shstrndx >= header.e_shnum) return {};
  const auto section = [&](unsigned i) { return read_at<Elf64_Shdr>(at + header.e_shoff + i * sizeof(Elf64_Shdr)); };
  const Elf64_Shdr names = section(header.e_shstrndx);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr one = section(i);
    if (one.sh_name < names.sh_size && std::string_view(at + names.sh_offset + one.sh_name) == ptx_section)
      return {at + one.sh_offset, one.sh_size};
  }
  return {};
}

base::Result<std::vector<CodeImage>> read_container(const char* at) {
  std::vector<CodeImage> images;
  const auto container = read_at<Container>(at);
  const char* const end = at + container.header_bytes + container.bytes;
  for (at += container.header_bytes; at + sizeof(Image) <= end;) {
    auto image = read_at<Image>(at);
    const auto left = static_cast<std::uint64_t>(end - at);
    if (image.header_bytes < sizeof(Image) || image.header_bytes > left || image.bytes > left - image.header_bytes)
      return base::Error{"the fat binary is damaged: an image is larger than the whole"};
    std::string_view bytes(at + image.header_bytes, image.bytes);
    if (image.compressed_bytes != 0) bytes = bytes.substr(0, image.compressed_bytes);
    CodeImage found{image.kind == kind_ptx, image.architecture, {}};
    if ((image.flags & (flag_lz4 | flag_zstd)) == 0) {
      found.bytes = bytes;
    } else {
      auto plain = decompress(image, bytes);
      if (!plain) return base::Error{plain.error()};
      found.bytes = std::move(*plain);
    }
    if (image.kind == kind_ptx) images.push_back(ptx_image(std::move(found.bytes)));
    if (image.kind == kind_elf) images.push_back(std::move(found));
    at += image.header_bytes + image.bytes;
  }
  return images;
}

}  // namespace

std::size_t elf_bytes(const void* data) {
  const auto* const bytes = static_cast<const char*>(data);
  const auto header = read_at<Elf64_Ehdr>(bytes);
  std::size_t end = std::max<std::size_t>(header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize,
                                          header.e_phoff + std::size_t{header.e_phnum} * header.e_phentsize);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = read_at<Elf64_Shdr>(bytes + header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_NOBITS) end = std::max<std::size_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

std::string elf_of_ptx(std::string_view ptx) {
  // The header, the names of the sections, the PTX, and the table of sections: none, names, PTX.
  constexpr std::string_view names("\0.shstrtab\0.warpwalk.ptx\0", 25);
  constexpr std::size_t table_alignment = 8;
  constexpr unsigned sections = 3;
  constexpr Elf64_Half cuda_machine = 190;  // EM_CUDA
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = cuda_machine;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = sections;
  header.e_shstrndx = 1;
  const std::size_t end = sizeof header + names.size() + ptx.size();
  header.e_shoff = (end + table_alignment - 1) / table_alignment * table_alignment;
  Elf64_Shdr table[sections] = {};
  table[1].sh_name = 1;
  table[1].sh_type = SHT_STRTAB;
  table[1].sh_offset = sizeof header;
  table[1].sh_size = names.size();
  table[2].sh_name = static_cast<Elf64_Word>(names.find(ptx_section));
  table[2].sh_type = SHT_PROGBITS;
  table[2].sh_offset = sizeof header + names.size();
  table[2].sh_size = ptx.size();
  std::string file(reinterpret_cast<const char*>(&header), sizeof header);
  file.append(names).append(ptx).resize(header.e_shoff);
  return file.append(reinterpret_cast<const char*>(table), sizeof table);
}

base::Result<std::vector<CodeImage>> read_code(const void* data) {
  if (data == nullptr) return base::Error{"no code was given"};
  const auto* at = static_cast<const char*>(data);
  if (read_at<std::int32_t>(at) == wrapper_magic) {
    const auto wrapper = read_at<Wrapper>(at);
    if (wrapper.data == nullptr) return base::Error{"the fat binary is empty"};
    at = static_cast<const char*>(wrapper.data);
  }
  if (read_at<std::uint32_t>(at) == container_magic) return read_container(at);
  if (is_elf(at))
    if (const std::string_view ptx = ptx_of_elf(at); !ptx.empty())
      return std::vector<CodeImage>{ptx_image(std::string(ptx))};
  if (is_elf(at)) return std::vector<CodeImage>{{false, architecture_of_elf(at), std::string(at, elf_bytes(at))}};
  std::string text(at);
  if (text.find(".version") == std::string::npos)
    return base::Error{"the code is neither a fat binary nor a cubin nor PTX"};
  return std::vector<CodeImage>{ptx_image(std::move(text))};
}

}  // namespace warpwalk::simulated
