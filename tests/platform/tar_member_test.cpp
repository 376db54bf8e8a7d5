// Members of tar archives: of one that is made here, of a compressed one, and of damaged ones.
#include "core/platform/tar_member.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "core/platform/read_file.h"

namespace warpwalk::platform {
namespace {

/// A member with its header and padding.
std::string member_bytes(const std::string& name, const std::string& contents, char type = '0') {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  char number[13];
  std::snprintf(number, sizeof number, "%011zo", contents.size());
  header.replace(124, 11, number);
  header[156] = type;
  header.replace(257, 6, std::string("ustar\0", 6));
  header.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  std::snprintf(number, sizeof number, "%06o", sum);
  header.replace(148, 7, number, 7);
  return header + contents + std::string((512 - contents.size() % 512) % 512, '\0');
}

class TarMembers : public ::testing::Test {
 protected:
  std::filesystem::path archive(const std::string& bytes) {
    const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "warpwalk_members.tar";
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
  static std::string read(const std::filesystem::path& file, std::uint64_t bytes) {
    const auto found = read_binary_file(file, bytes);
    return found ? std::string(found->begin(), found->end()) : found.error();
  }
  const std::string whole_ = member_bytes("folder", "", '5') + member_bytes("a.bin", std::string(600, 'a')) +
                             member_bytes("folder/b.bin", "bb") + std::string(1024, '\0');
};

TEST_F(TarMembers, AreReadByThePathThroughTheArchive) {
  const std::filesystem::path file = archive(whole_);
  EXPECT_EQ(read(file / "a.bin", 600), std::string(600, 'a'));
  EXPECT_EQ(read(file / "folder/b.bin", 2), "bb");
  EXPECT_EQ(read(file / "b.bin", 2), file.string() + ": has no file b.bin");
  EXPECT_EQ(read(file / "folder", 0), file.string() + ": has no file folder") << "it is no regular file";
  EXPECT_EQ(read(file / "a.bin", 601), file.string() + "/a.bin: has 600 bytes but must have 601");
  EXPECT_EQ(read(file, whole_.size()), whole_) << "the archive itself is a file, too";
}

TEST_F(TarMembers, OfACompressedArchive) {
  const std::filesystem::path file = WARPWALK_SOURCE_DIR "/tests/cases/shipped_vecadd/values.tar.gz";
  EXPECT_EQ(read(file / "c.out.bin", 4000).size(), 4000u);
  EXPECT_EQ(read(file / "d.out.bin", 4000), file.string() + ": has no file d.out.bin");
}

TEST_F(TarMembers, OfADamagedArchiveAreRefused) {
  std::string bytes = whole_;
  bytes[512] ^= 1;
  EXPECT_EQ(read(archive(bytes) / "folder/b.bin", 2),
            archive(bytes).string() + ": is no tar archive, or a damaged one");
  const std::filesystem::path cut = archive(whole_.substr(0, 1500));
  EXPECT_EQ(read(cut / "a.bin", 600), cut.string() + "/a.bin: the archive is truncated or damaged");
  EXPECT_EQ(read(cut / "folder/b.bin", 2), cut.string() + ": has no file folder/b.bin");
  EXPECT_EQ(read(archive("no archive") / "a", 1), archive("no archive").string() + ": has no file a");
}

}  // namespace
}  // namespace warpwalk::platform
