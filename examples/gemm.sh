# SPDX-License-Identifier: MIT
# Sourced by demo.sh and the tests: the kernels, how each is launched, and what it must compute.
# Needs LANEWISE, GEMM_REFERENCE and OBJECTS (the directory of the code objects) set.

SHAPES="4,2880,512 16,2112,7168 32,4096,512 32,2880,512 64,7168,2048 256,3072,1536"
STAGES="basic direct half swizzled double blocked splitk transposed preload"

# split M,N,K into $m $n $k
set_shape() {
    m=${1%%,*}
    n=${1#*,}
    k=${n#*,}
    n=${n%%,*}
}

tiles_down() { echo $(((m + $1 - 1) / $1)); }

# --grid and --block of a stage for $m $n $k
launch_size() {
    case $1 in
    basic) echo "--grid $((n / 16)),$(tiles_down 16) --block 64" ;;
    blocked) echo "--grid $((n / 32)),$(tiles_down 32) --block 256" ;;
    splitk) echo "--grid $((n / 16 * $(tiles_down 16))) --block 256" ;;
    *) echo "--grid $((n / 16 * $(tiles_down 16))) --block 64" ;;
    esac
}

# number of pieces of k that a stage sums separately
parts_of() {
    case $1 in
    splitk) echo 4 ;;
    *) echo 1 ;;
    esac
}

# run_mxfp4 DIR STAGE OUT.npy [OPTION...]: one launch on $m $n $k, data in DIR
run_mxfp4() {
    dir=$1 stage=$2 out=$3
    shift 3
    # shellcheck disable=SC2046 # the sizes are words
    "$LANEWISE" run "$OBJECTS/mxfp4_$stage.co" $(launch_size "$stage") "$@" \
        "C=out:$dir/$out=u16[$m,$n]" "A=$dir/a.npy" "B=$dir/b.npy" "Bscale=$dir/bscale.npy" \
        "m=u32:$m" "n=u32:$n" "k=u32:$k"
}

# run_skinny DIR vdmfma|dense OUT.npy [OPTION...]: one launch on 8 x $n x $k
run_skinny() {
    dir=$1 kind=$2 out=$3
    shift 3
    "$LANEWISE" run "$OBJECTS/skinny_$kind.co" --grid $((n / 16)) --block 64 "$@" \
        "C=out:$dir/$out=f32[8,$n]" "A=$dir/a.npy" "B=$dir/b.npy" "n=u32:$n" "k=u32:$k"
}

# run_gemm DIR OUT.npy [OPTION...]: one launch on $m x $n x $k
run_gemm() {
    dir=$1 out=$2
    shift 2
    "$LANEWISE" run "$OBJECTS/gemm_f16.co" --grid $((n / 64)),$((m / 64)) --block 256 "$@" \
        "C=out:$dir/$out=f32[$m,$n]" "A=$dir/a.npy" "B=$dir/b.npy" "n=u32:$n" "k=u32:$k"
}

# run_matmul DIR OUT.npy [OPTION...]: the same by WMMA on gfx1201
run_matmul() {
    dir=$1 out=$2
    shift 2
    "$LANEWISE" run "$OBJECTS/matmul_wmma.co" --grid $((n / 64)),$((m / 64)) --block 128 "$@" \
        "C=out:$dir/$out=f32[$m,$n]" "A=$dir/a.npy" "B=$dir/b.npy" "n=u32:$n" "k=u32:$k"
}

# run_add DIR ARCH COUNT OUT.npy [OPTION...]
run_add() {
    dir=$1 arch=$2 count=$3 out=$4
    shift 4
    "$LANEWISE" run "$OBJECTS/vector_add_$arch.co" --grid $(((count + 255) / 256)) --block 256 "$@" \
        "c=out:$dir/$out=f32[$count]" "a=$dir/a.npy" "b=$dir/b.npy" "n=u32:$count"
}
