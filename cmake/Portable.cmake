# The program and the recorder's library as scripts/package ships them: the same objects, linked with static libraries
# and with the C library of Debian 11 (glibc 2.31), which scripts/package puts into build/package/sysroot. They run on
# any Linux with that version or a later one.
function(warpwalk_portable)
  set(sysroot ${PROJECT_SOURCE_DIR}/build/package/sysroot)
  set(libraries ${sysroot}/usr/lib/x86_64-linux-gnu)
  # The compiler looks in the system's folder before that of --sysroot, hence -B (crt1.o) and -L (libc.so).
  set(flags --sysroot=${sysroot} -B${libraries} -L${libraries} -static-libstdc++ -static-libgcc -s)
  set(system -lpthread -ldl -lm)

  get_target_property(rooms_used warpwalk LINK_LIBRARIES)
  set(rooms)
  warpwalk_collect_rooms(${rooms_used})
  set(archives ${rooms})
  list(TRANSFORM archives REPLACE ".+" "$<TARGET_FILE:\\0>")
  set(others imgui freetype png16 brotlidec brotlicommon z stb sqlite3 crypto xxhash)
  list(TRANSFORM others REPLACE ".+" "-l:lib\\0.a")

  add_executable(warpwalk_portable EXCLUDE_FROM_ALL $<TARGET_OBJECTS:warpwalk> package/new_glibc.cpp package/fmt.cpp)
  target_link_libraries(warpwalk_portable PRIVATE -Wl,--start-group ${archives} ${others} -Wl,--end-group ${system})
  add_dependencies(warpwalk_portable ${rooms})
  set_target_properties(warpwalk_portable PROPERTIES OUTPUT_NAME warpwalk LINK_DEPENDS "${archives}")

  foreach(name inject armed)
    set(target warpwalk_${name}_portable)
    add_library(${target} SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:warpwalk_${name}> package/new_glibc.cpp)
    target_link_libraries(${target} PRIVATE ${system})
    target_link_options(${target} PRIVATE
                        -Wl,--version-script=${PROJECT_SOURCE_DIR}/instrumentation/${name}/exports.map -Wl,-z,nodelete)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME warpwalk_${name})
    add_dependencies(warpwalk_portable ${target})
  endforeach()

  set(engine_rooms)
  set(rooms)
  warpwalk_collect_rooms(warpwalk_core_run)
  set(engine_rooms ${rooms})
  list(TRANSFORM engine_rooms REPLACE ".+" "$<TARGET_FILE:\\0>")
  set(simulated ${PROJECT_SOURCE_DIR}/instrumentation/simulated)
  set(simulated_targets)
  foreach(library cuda cudart_12 cudart_13)
    set(target warpwalk_simulated_${library}_portable)
    set(of_both)
    if(library MATCHES cudart)
      set(of_both $<TARGET_OBJECTS:warpwalk_simulated_runtime>)
    endif()
    add_library(${target} SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:warpwalk_simulated_${library}> ${of_both}
                                                  package/new_glibc.cpp package/fmt.cpp)
    get_target_property(name warpwalk_simulated_${library} OUTPUT_NAME)
    get_target_property(map warpwalk_simulated_${library} LINK_DEPENDS)
    set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} SUFFIX "" NO_SONAME ON)
    target_link_options(${target} PRIVATE -Wl,-soname,${name} -Wl,--version-script=${map} -Wl,-Bsymbolic)
    list(APPEND simulated_targets ${target})
    add_dependencies(warpwalk_portable ${target})
  endforeach()
  target_link_libraries(warpwalk_simulated_cuda_portable PRIVATE -Wl,--start-group ${engine_rooms} -l:libz.a
                                                                 -l:libcrypto.a -l:libxxhash.a -Wl,--end-group ${system})
  foreach(major 12 13)
    target_link_libraries(warpwalk_simulated_cudart_${major}_portable PRIVATE
                          warpwalk_simulated_cuda_portable -Wl,--start-group ${engine_rooms} -l:libz.a -l:libcrypto.a
                          -l:libxxhash.a -Wl,--end-group ${system})
    set_target_properties(warpwalk_simulated_cudart_${major}_portable PROPERTIES BUILD_RPATH "$ORIGIN")
  endforeach()

  foreach(library ${simulated_stand_ins})
    set(target ${library}_portable)
    get_target_property(name ${library} OUTPUT_NAME)
    get_target_property(map ${library} LINK_DEPENDS)
    get_target_property(objects ${library} SOURCES)
    add_library(${target} SHARED EXCLUDE_FROM_ALL ${objects} package/new_glibc.cpp package/fmt.cpp)
    set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} SUFFIX "" NO_SONAME ON LINKER_LANGUAGE CXX
                                               BUILD_RPATH "$ORIGIN")
    target_link_options(${target} PRIVATE -Wl,-soname,${name} -Wl,--version-script=${map} -Wl,-Bsymbolic)
    target_link_libraries(${target} PRIVATE warpwalk_simulated_cuda_portable -Wl,--start-group ${engine_rooms} -l:libz.a
                                            -l:libcrypto.a -l:libxxhash.a -Wl,--end-group ${system})
    list(APPEND simulated_targets ${target})
    add_dependencies(warpwalk_portable ${target})
  endforeach()

  foreach(target warpwalk_portable warpwalk_inject_portable warpwalk_armed_portable ${simulated_targets})
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_compile_options(${target} PRIVATE -Wall -Wextra)
    target_link_options(${target} PRIVATE ${flags})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/portable
                                               LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/portable)
  endforeach()
endfunction()
