// SPDX-License-Identifier: MIT
// What the page shows, as one flat object that the address holds.

const DEFAULTS = {
    view: 'layout', arch: 'gfx942', insn: 'v_mfma_f32_16x16x16_f16', operand: 'A', wave: '', mods: '',
    colour: 'register', arrange: 'matrix', cell: '', lane: '',
    at: '', kind: 'random', seed: '1', row: '', column: '', c: '', group: '0',
    notation: '', format: 'cute',
    next: '', into: 'B', nextmods: '', nextarch: '',
    access: '', shape: '', tile: '',
    level: '1', quizseed: '1', quiz: '1', everywhere: '',
};

export const state = { ...DEFAULTS };

// Settings that mean nothing for another instruction.
const OF_INSTRUCTION = ['mods', 'wave', 'nextmods', 'cell', 'lane', 'at', 'group', 'row', 'column', 'c', 'shape', 'tile'];

export function readAddress(hash) {
    const given = new URLSearchParams(hash.replace(/^#/, ''));
    for (const name of Object.keys(DEFAULTS)) state[name] = given.get(name) ?? DEFAULTS[name];
}

export function address() {
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(state)) if (value !== DEFAULTS[name]) words.set(name, value);
    return '#' + words;
}

export function change(changes) {
    if ('arch' in changes && changes.arch !== state.arch) state.next = DEFAULTS.next; // an instruction of the other GPU
    if (('insn' in changes && changes.insn !== state.insn) || ('arch' in changes && changes.arch !== state.arch))
        for (const name of OF_INSTRUCTION) state[name] = DEFAULTS[name];
    Object.assign(state, changes);
}

// "cbsz:fp4 blgp:fp4" as the words --mod cbsz:fp4 --mod blgp:fp4.
export const modifierWords = () => [
    ...state.mods.split(' ').filter(Boolean).flatMap(word => ['--mod', word]),
    ...(state.wave ? ['--wave', state.wave] : []),
];

// The words that name the instruction, for any verb.
export const instructionWords = () => [state.insn, '--arch', state.arch, ...modifierWords()];
