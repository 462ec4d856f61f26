# Flags for every target of this project. Results must not depend on the compiler's freedom with floating
# point, hence -ffp-contract=off.
function(lw_compile_options target)
    target_compile_features(${target} PUBLIC c_std_11)
    set_target_properties(${target} PROPERTIES C_EXTENSIONS OFF)
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wswitch
        -ffp-contract=off -fno-math-errno -fno-trapping-math
        $<$<C_COMPILER_ID:GNU>:-Woverride-init>
        $<$<C_COMPILER_ID:Clang>:-Winitializer-overrides>
        $<$<BOOL:${LW_WERROR}>:-Werror>)
endfunction()
