include(CMakePackageConfigHelpers)

# The program finds the shared library relative to its own location, wherever that was installed.
if(TARGET lanewise_cli AND BUILD_SHARED_LIBS)
    file(RELATIVE_PATH LW_BIN_TO_LIB "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
    set_target_properties(lanewise_cli PROPERTIES INSTALL_RPATH "\$ORIGIN/${LW_BIN_TO_LIB}")
endif()

install(TARGETS lanewise EXPORT lanewise-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/lanewise ${PROJECT_BINARY_DIR}/include/lanewise
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT lanewise-targets NAMESPACE lanewise::
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lanewise)

configure_package_config_file(cmake/lanewiseConfig.cmake.in lanewiseConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lanewise)
write_basic_package_version_file(lanewiseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lanewiseConfig.cmake ${PROJECT_BINARY_DIR}/lanewiseConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lanewise)

set(LW_PC_LIBS_PRIVATE " ${CMAKE_THREAD_LIBS_INIT}")
if(ZLIB_FOUND)
    string(APPEND LW_PC_LIBS_PRIVATE " -lz")
endif()
if(LW_ZSTD_LIBRARY AND LW_WITH_ZSTD)
    string(APPEND LW_PC_LIBS_PRIVATE " -lzstd")
endif()
# Users of a static library must link its dependencies too, even without `pkg-config --static`.
set(LW_PC_LIBS "")
if(NOT BUILD_SHARED_LIBS)
    set(LW_PC_LIBS "${LW_PC_LIBS_PRIVATE}")
    set(LW_PC_LIBS_PRIVATE "")
endif()
# Relative to the file itself: `cmake --install --prefix` may choose a prefix other than the configured one.
file(RELATIVE_PATH LW_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file(cmake/lanewise.pc.in lanewise.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lanewise.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
