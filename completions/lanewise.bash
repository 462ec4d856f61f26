# SPDX-License-Identifier: MIT
# Completions of lanewise for bash, written by scripts/completions.sh from the help texts.
_lanewise() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} options=
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W 'list info layout eval run why debug exec capture disasm schedule pack quiz merge validate help --version' -- "$word"))
        return
    fi
    if [ "$before" = --arch ]; then
        COMPREPLY=($(compgen -W 'gfx908 gfx90a gfx942 gfx950 gfx1100 gfx1150 gfx1201 gfx1250 sm_70 sm_72 sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_100a sm_120 sm_120a sm_120f' -- "$word"))
        return
    fi
    case $verb in
    list) options='--arch --family --evidence --memory-limit --json --help' ;;
    info) options='--arch --mod --reading --wave --json --help' ;;
    layout) options='--arch --operand --format --check --check-a --check-b --guess --banks --tile --shape --next --convert --to --width --algebra --descriptor --lane --register --reg --element --index --block --mod --reading --wave --unfold --probe --memory-limit --json --help' ;;
    eval) options='--arch --a --b --c --index --scale-a --scale-b --memory --registers --address --stride --output --decimal --explain --mod --wave --mode --reading --numerics --expect --ulp --rtol --memory-limit --json --help' ;;
    run) options='--grid --items --block --cluster --smem --expect --ulp --rtol --check --coverage --sarif --junit --layouts --layouts-keep --trace --trace-wave --trace-limit --trace-plain --workgroup --part --part-file --budget --memory-limit --time-limit --threads --schedule --async --reading --numerics --assume --evidence --poison --scratch --launches --capture --arch --json --help' ;;
    why) options='--element --first-difference --capture --expect --ulp --rtol --grid --items --block --smem --workgroup --budget --record-limit --memory-limit --time-limit --schedule --async --reading --numerics --poison --scratch --arch --json --help' ;;
    debug) options='--script --dap --grid --items --block --cluster --smem --workgroup --budget --memory-limit --schedule --async --reading --numerics --poison --scratch --arch --json --help' ;;
    exec) options='--arch --devices --check --reading --standins --junit --json --help' ;;
    capture) options='--output --kernel --skip --most --limit --standins --json --help' ;;
    disasm) options='--arch --lines --memory-limit --json --help' ;;
    schedule) options='--arch --types --chip --pipeline --check --tile --subgroups --intrinsic --json --help' ;;
    pack) options='--tiles --pos --perm --pad --insn --arch --operand --unpack --shape --data-tiled --types --chip --multiply --output --memory-limit --json --help' ;;
    quiz) options='--arch --level --seed --count --number --answer --sheet --json --help' ;;
    merge) options='--memory-limit --evidence --json --help' ;;
    validate) options='--device --only --cases --seed --all-inputs --launches --record --report --library --list --arch --time-limit --part --part-file --json --help' ;;
    help) COMPREPLY=($(compgen -W 'list info layout eval run why debug exec capture disasm schedule pack quiz merge validate' -- "$word")); return ;;
    esac
    case $word in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}
complete -o filenames -F _lanewise lanewise
