# Installs headers, emulator, tool and the CMake package; `find_package(muster)` then gives the same targets as `add_subdirectory`.
include(CMakePackageConfigHelpers)
set(muster_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/muster")

install(TARGETS muster EXPORT muster-targets FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT muster-targets NAMESPACE muster:: DESTINATION "${muster_package_dir}")

# The emulator has an export of its own: a user without Boost.Context still gets the headers.
if(TARGET muster_emulator)
  install(TARGETS muster_emulator EXPORT muster-emulator-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  if(TARGET muster_racecheck)
    install(TARGETS muster_racecheck EXPORT muster-emulator-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  endif()
  install(EXPORT muster-emulator-targets NAMESPACE muster:: DESTINATION "${muster_package_dir}")
endif()
if(TARGET muster_tool)
  install(TARGETS muster_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/muster-config.cmake.in" "${PROJECT_BINARY_DIR}/muster-config.cmake"
  INSTALL_DESTINATION "${muster_package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/muster-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/muster-config.cmake" "${PROJECT_BINARY_DIR}/muster-config-version.cmake"
  DESTINATION "${muster_package_dir}")
