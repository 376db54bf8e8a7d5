// The sheet that opens files: folders are walked through by keys, paths are completed.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/document/folder_reader.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

// A folder with two folders, two files that can be opened, and others; the current folder while it lives.
class BrowsedFolders {
 public:
  BrowsedFolders() : before_(std::filesystem::current_path()) {
    root_ = std::filesystem::canonical(::testing::TempDir()) / ("warpwalk_folders." + std::to_string(getpid()));
    std::filesystem::create_directories(root_ / "alpha" / "inner");
    std::filesystem::create_directories(root_ / "beta");
    std::filesystem::create_directories(root_ / ".hidden");
    std::filesystem::copy_file(walk_file("two_streams"), root_ / "alpha" / "walk.json.gz");
    std::ofstream(root_ / "Zeta.json") << "not a trace";
    std::ofstream(root_ / "notes.txt") << "not listed";
    std::filesystem::current_path(root_);
  }
  ~BrowsedFolders() {
    std::filesystem::current_path(before_);
    std::filesystem::permissions(root_ / "beta", std::filesystem::perms::owner_all);
    std::filesystem::remove_all(root_);
  }
  BrowsedFolders(const BrowsedFolders&) = delete;
  BrowsedFolders& operator=(const BrowsedFolders&) = delete;
  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path before_, root_;
};

TEST(FolderListing, HasFoldersFirstThenFilesThatCanBeOpened) {
  const BrowsedFolders folders;
  const std::atomic<bool> no = false;
  const document::FolderListing listing = document::list_folder(".", no);
  EXPECT_EQ(listing.folder, folders.root() / "");
  EXPECT_EQ(listing.error, "");
  ASSERT_EQ(listing.entries.size(), 3u);
  EXPECT_EQ(listing.entries[0].name, "alpha");
  EXPECT_TRUE(listing.entries[1].folder);
  EXPECT_EQ(listing.entries[2].name, "Zeta.json");
  EXPECT_EQ(listing.entries[2].bytes, 11u);
  EXPECT_GT(listing.entries[2].modified, 0);
  EXPECT_NE(document::list_folder(folders.root() / "gamma", no).error, "");
}

TEST(FolderListing, ManyFilesAreReadBesideTheWindow) {
  const BrowsedFolders folders;
  constexpr int files = 2000;
  for (int i = 0; i < files; ++i) std::ofstream(folders.root() / "beta" / (std::to_string(i) + ".json"));
  document::FolderReader reader;
  reader.read(folders.root() / "beta");
  std::shared_ptr<const document::FolderListing> listing;
  while (!listing) listing = reader.poll();
  EXPECT_EQ(listing->entries.size(), static_cast<std::size_t>(files));
}

TEST(PathCompletion, GoesAsFarAsAllMatchesAgree) {
  const BrowsedFolders folders;
  const std::string root = folders.root().string() + "/";
  EXPECT_EQ(document::completed_path(root + "al"), root + "alpha/");
  EXPECT_EQ(document::completed_path(root + "alpha/"), root + "alpha/");  // two entries, nothing in common
  EXPECT_EQ(document::completed_path(root + "alpha/w"), root + "alpha/walk.json.gz");
  EXPECT_EQ(document::completed_path(root + "no"), root + "no");  // a .txt is not offered
  EXPECT_EQ(document::completed_path("Ze"), "Zeta.json");
  std::filesystem::create_directories(folders.root() / "alphabet");
  EXPECT_EQ(document::completed_path(root + "al"), root + "alpha");
  EXPECT_EQ(document::completed_path(root + ".h"), root + ".hidden/");
}

bool shows_folder(const Driver& driver, const std::filesystem::path& folder) {
  return driver.reports.back().find("\"folder\":\"" + folder.string() + "\"") != std::string::npos;
}

void go_to_this_folder(Driver& driver) {
  driver.press(U'o');
  for (int i = 0; i < 2; ++i) driver.press(Key::tab);  // from the recorded walks over the lessons
  driver.wait();
}

TEST(FilesSheet, FoldersAreWalkedByKeysAndAFileIsOpened) {
  const BrowsedFolders folders;
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  go_to_this_folder(driver);
  EXPECT_TRUE(shows_folder(driver, folders.root() / "")) << driver.reports.back();
  driver.press(Key::down);  // past the parent folder: alpha
  driver.press(Key::right);
  driver.wait();
  EXPECT_TRUE(shows_folder(driver, folders.root() / "alpha")) << driver.reports.back();
  driver.press(Key::left);
  driver.wait();
  EXPECT_TRUE(shows_folder(driver, folders.root())) << driver.reports.back();
  driver.press(Key::enter);  // the cursor is at the folder that one came from
  driver.wait();
  EXPECT_TRUE(shows_folder(driver, folders.root() / "alpha")) << driver.reports.back();
  driver.press(Key::down);
  driver.press(Key::down);  // past the parent and inner
  driver.press(Key::enter);
  driver.wait();
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().document->file, folders.root() / "alpha" / "walk.json.gz");
}

TEST(FilesSheet, ATypedPathIsCompletedAndATypedFolderShown) {
  const BrowsedFolders folders;
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'o');
  driver.type((folders.root() / "al").string());
  driver.press(Key::tab);
  driver.press(Key::enter);  // alpha/ is a folder: it is shown
  driver.wait();
  EXPECT_EQ(driver.shell.sheet(), "files");
  EXPECT_TRUE(shows_folder(driver, folders.root() / "alpha" / "")) << driver.reports.back();
  driver.type((folders.root() / "alpha/w").string());
  driver.press(Key::tab);
  driver.press(Key::enter);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().document->file, folders.root() / "alpha" / "walk.json.gz");
}

TEST(FilesSheet, AnUnreadableFolderSaysSoAndTheWayBackIsOpen) {
  if (geteuid() == 0) GTEST_SKIP() << "root can read every folder";
  const BrowsedFolders folders;
  std::filesystem::permissions(folders.root() / "beta", std::filesystem::perms::none);
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  go_to_this_folder(driver);
  driver.press(Key::down);
  driver.press(Key::down);
  driver.press(Key::enter);
  driver.wait();
  EXPECT_TRUE(shows_folder(driver, folders.root() / "beta"));
  driver.press(Key::left);
  driver.wait();
  EXPECT_TRUE(shows_folder(driver, folders.root()));
}

TEST(FilesSheet, AFolderIsEnteredAndAFileOpenedByMouse) {
  const BrowsedFolders folders;
  Driver driver(1600, 900);
  driver.open(walk_file("relu_matmul"));
  go_to_this_folder(driver);
  // Rows are 32 units high; the test does not depend on where the list begins.
  for (float y = 300; y < 420 && !shows_folder(driver, folders.root() / "alpha"); y += 16) {
    driver.click(800, y);
    driver.wait();
    if (shows_folder(driver, folders.root().parent_path())) {  // that was the parent
      driver.press(Key::escape);
      go_to_this_folder(driver);
    }
  }
  EXPECT_TRUE(shows_folder(driver, folders.root() / "alpha")) << driver.reports.back();
}

}  // namespace
}  // namespace warpwalk::shell
