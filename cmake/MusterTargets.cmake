# How muster's own programs and libraries are compiled. Nothing here reaches a user's target.

# ccache, where it is installed and nothing else was asked for.
if(PROJECT_IS_TOP_LEVEL)
  find_program(MUSTER_CCACHE ccache)
  mark_as_advanced(MUSTER_CCACHE)
  if(MUSTER_CCACHE)
    foreach(language CXX CUDA)
      if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
        # ccache keeps what was compiled with a precompiled header only if told to trust g++'s check of it.
        set(CMAKE_${language}_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${MUSTER_CCACHE}")
      endif()
    endforeach()
  endif()
endif()

set(muster_warnings -Wall -Wextra)
# g++ 12 warns about std::string's own copies when it inlines `"text" + string` (GCC bug 105651, mended in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND muster_warnings -Wno-restrict)
endif()
# clang++ with the libstdc++ of g++ 12 warns about what std::stable_sort itself uses.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  list(APPEND muster_warnings -Wno-deprecated-declarations)
endif()
if(MUSTER_WARNINGS_AS_ERRORS)
  list(APPEND muster_warnings -Werror)
endif()
# nvcc hands these to its own host compiler, which need not be this build's.
set(muster_host_warnings ${muster_warnings})
list(FILTER muster_host_warnings EXCLUDE REGEX "^-Wno-deprecated")
list(JOIN muster_host_warnings "," muster_host_warnings)

# muster_own_target(NAME): warnings, C++20, no compiler extensions, each source by itself unless muster_may_join_sources() allows more.
function(muster_own_target name)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD OFF)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${muster_warnings}>"
    "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=${muster_host_warnings}>")
  if(MUSTER_WARNINGS_AS_ERRORS)
    target_compile_options(${name} PRIVATE "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:SHELL:-Werror all-warnings>")
  endif()
endfunction()

# muster_may_join_sources(NAME): where CMAKE_UNITY_BUILD asks for it, up to eight sources of the host's compiler are compiled as one: what is built once is built sooner.
# So each source keeps its names in a namespace of its own. One that sets macros of muster's stays by itself.
function(muster_may_join_sources name)
  set_target_properties(${name} PROPERTIES UNITY_BUILD "${CMAKE_UNITY_BUILD}")
  get_target_property(sources ${name} SOURCES)
  foreach(source IN LISTS sources)
    muster_sets_macros(macros "${source}")
    if(macros)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# muster_sets_macros(OUT SOURCE): whether it defines macros that muster's headers read. Sources that are still to be generated do not.
function(muster_sets_macros out source)
  set(macros)
  if(EXISTS "${source}")
    file(STRINGS "${source}" macros REGEX "^#define MUSTER_" LIMIT_COUNT 1)
  endif()
  set(${out} "${macros}" PARENT_SCOPE)
endfunction()

# muster_fast_to_compile(LEVEL_OF_CXX LEVEL_OF_CUDA): for the targets of the calling directory. The host's code is optimised a little only, or not at all: optimising
# tests and the host side of launches takes half of their compile time and is worth nothing. Device code is optimised as ever (nvcc's -O speaks of the host).
macro(muster_fast_to_compile level_of_cxx level_of_cuda)
  foreach(type RELEASE RELWITHDEBINFO)
    string(REGEX REPLACE "-O[23]" "${level_of_cxx}" CMAKE_CXX_FLAGS_${type} "${CMAKE_CXX_FLAGS_${type}}")
    string(REGEX REPLACE "-O[23]" "${level_of_cuda}" CMAKE_CUDA_FLAGS_${type} "${CMAKE_CUDA_FLAGS_${type}}")
  endforeach()
endmacro()

# muster_own_program(NAME): the same for an executable, which carries the C++ runtime with it and lies in bin/, so that it runs on another
# machine with nothing but a driver.
function(muster_own_program name)
  cmake_parse_arguments(arg "SHARED_RUNTIME" "" "" ${ARGN})
  muster_own_target(${name})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin" CUDA_RUNTIME_LIBRARY Static CUDA_SEPARABLE_COMPILATION OFF)
  if(NOT arg_SHARED_RUNTIME AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT APPLE)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

# muster_cuda_twins(OUT SOURCE...): .cu files in the build tree that include the C++ sources, so that one directory can compile the same file for both
# machines. Up to six sources to a file, because nvcc reads the headers once for each pass of each: five to seven seconds of every file. So each source
# keeps its names in a namespace of its own. One that sets macros of muster's has its file to itself, and so has each of those in ALONE.
function(muster_cuda_twins out)
  cmake_parse_arguments(arg "" "" "ALONE" ${ARGN})
  set(twins)
  set(together)
  set(content)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE relative)
    set(twin "${PROJECT_BINARY_DIR}/cuda/${relative}.cu")
    muster_sets_macros(macros "${source}")
    if(macros OR source IN_LIST arg_ALONE)
      file(GENERATE OUTPUT "${twin}" CONTENT "#include \"${source}\"\n")
      list(APPEND twins "${twin}")
      continue()
    endif()
    if(NOT together)
      set(first_twin "${twin}")
    endif()
    string(APPEND content "#include \"${source}\"\n")
    list(APPEND together "${source}")
    list(LENGTH together count)
    if(count EQUAL 6)
      file(GENERATE OUTPUT "${first_twin}" CONTENT "${content}")
      list(APPEND twins "${first_twin}")
      set(together)
      set(content)
    endif()
  endforeach()
  if(together)
    file(GENERATE OUTPUT "${first_twin}" CONTENT "${content}")
    list(APPEND twins "${first_twin}")
  endif()
  set(${out} ${twins} PARENT_SCOPE)
endfunction()
