# The library for wasm32, on wasi-libc: cmake -DCMAKE_TOOLCHAIN_FILE=cmake/wasm32-wasi.cmake -DLW_BUILD_CLI=OFF ...
# Debian: clang-22 lld-22 wasi-libc libclang-rt-22-dev-wasm32. Its wasi-libc is in a folder with the target's older name.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-Wno-deprecated")
