# Compile options of every target. -ffp-contract=off keeps pictures identical for every compiler and optimization level.
add_library(warpwalk_options INTERFACE)
target_compile_features(warpwalk_options INTERFACE cxx_std_20)
target_include_directories(warpwalk_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(warpwalk_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(warpwalk_options INTERFACE -Wno-restrict)  # false positives on std::string, gcc bug 105651
endif()
if(WARPWALK_SANITIZE)
  target_compile_options(warpwalk_options INTERFACE -fsanitize=${WARPWALK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(warpwalk_options INTERFACE -fsanitize=${WARPWALK_SANITIZE})
endif()

# warpwalk_room(core/trace FOLDERS chrome USES a b) builds the .cpp files of a folder and of the listed subfolders as the
# library warpwalk_core_trace. New files are picked up automatically (CONFIGURE_DEPENDS).
function(warpwalk_room folder)
  cmake_parse_arguments(ROOM "" "" "FOLDERS;USES" ${ARGN})
  string(REPLACE "/" "_" name "warpwalk_${folder}")
  set(patterns ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  foreach(subfolder ${ROOM_FOLDERS})
    list(APPEND patterns ${PROJECT_SOURCE_DIR}/${folder}/${subfolder}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC ${ROOM_USES} PRIVATE warpwalk_options)
endfunction()
