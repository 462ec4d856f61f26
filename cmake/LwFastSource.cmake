# lw_fast_source(ISA FILE): a file of the library that may use what the instruction set has: portable, avx2, avx512 or avx512fp16.
# Under a sanitizer -O3 takes gcc too long.
function(lw_fast_source isa file)
    string(FIND "${CMAKE_C_FLAGS}" "-fsanitize" at)
    if(at EQUAL -1)
        set(optimize -O3)
    else()
        set(optimize -O1)
    endif()
    set(flags_portable "")
    set(flags_avx2 "")
    set(flags_avx512 "")
    set(flags_avx512fp16 "")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        set(flags_avx2 -mavx2 -mfma -mf16c)
        set(flags_avx512 ${flags_avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mprefer-vector-width=512)
        if(LW_FAST_FP16)
            set(flags_avx512fp16 ${flags_avx512} -mavx512fp16)
        endif()
    endif()
    target_sources(lanewise PRIVATE ${file})
    set_source_files_properties(${file} TARGET_DIRECTORY lanewise PROPERTIES COMPILE_OPTIONS "${flags_${isa}};${optimize}")
endfunction()

# Compilers and assemblers with AVX512-FP16: gcc 12 and clang 14.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS -mavx512fp16)
    check_c_source_compiles("#include <immintrin.h>
int main(void)
{
    const __m512h a = _mm512_castsi512_ph(_mm512_setzero_si512());
    return __builtin_cpu_supports(\"avx512fp16\") && _mm512_cmp_ph_mask(_mm512_add_ph(a, a), a, 3) ? 1 : 0;
}" LW_FAST_FP16)
    unset(CMAKE_REQUIRED_FLAGS)
endif()
