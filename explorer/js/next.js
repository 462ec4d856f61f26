// SPDX-License-Identifier: MIT
// The view "Next instruction": two instructions side by side, and what lanes exchange so that D of one is an operand of the other.
import { $, complaint, element, modifierFields, options, table } from './dom.js';
import { Picture, heldBy, matrixScene, placeName } from './grid.js';
import { layoutOf } from './layout.js';
import { isDark } from './scene.js';
import { instructionWords, state } from './state.js';

const SAME = 0, PLACE = 1, LANE = 2;
let left, right;

const colours = () => isDark() ? ['hsl(145 42% 26%)', 'hsl(55 42% 26%)', 'hsl(10 45% 30%)'] : ['hsl(145 55% 82%)', 'hsl(50 85% 80%)', 'hsl(10 75% 82%)'];

// The values of each lane, from the lowest bits on: what moves count.
function valuesOf(layout) {
    const lanes = new Map();
    for (const entry of layout.entries) lanes.set(entry.lane, (lanes.get(entry.lane) ?? []).concat(entry));
    return lanes;
}

const kindOf = move => move.lane !== move.from_lane ? LANE : move.value !== move.from_value ? PLACE : SAME;

function summary(answer) {
    const { from_operand: from, to_operand: to, values } = answer;
    const pieces = answer.pieces > 1 ? `${from} is ${answer.pieces} times ${to}; the first of them is shown. ` : '';
    if (answer.from_other_lanes) return `${pieces}Lanes must exchange: ${answer.from_other_lanes} of ${values} values of ${to} come from another lane's ${from}.`;
    if (answer.from_other_places) return `${pieces}No lanes exchange values: each has its values of ${to} in ${from} already, ${answer.from_other_places} of ${values} in another place.`;
    return `${pieces}No lanes exchange values: ${from} is ${to} as it is.`;
}

function show(page, from, to, answer) {
    const sources = valuesOf(from), targets = valuesOf(to), paint = colours(), moves = new Map();
    for (const move of answer.moves) {
        const entry = targets.get(move.lane)?.[move.value];
        if (entry) moves.set(entry, { move, source: sources.get(move.from_lane)?.[move.from_value] });
    }
    $('next-answer').querySelectorAll('.swatch').forEach((each, kind) => (each.style.background = paint[kind]));
    const drawLeft = lit => left.show(matrixScene(from, page.room() / 2 - 20, state.colour, cell => ({ mark: Boolean(lit) && cell.copies.includes(lit) })),
        `${state.insn} D`);
    drawLeft(null);
    right.show(matrixScene(to, page.room() / 2 - 20, state.colour, cell => {
        const found = moves.get(cell.copies[0]);
        return found ? { fill: paint[kindOf(found.move)] } : { faint: true };
    }), `${answer.to} ${answer.to_operand}`);
    right.point = cell => {
        const found = moves.get(cell.copies[0]);
        if (!found?.source) return;
        $('moved').textContent = `${answer.to_operand}[${cell.at.slice(1).join('][')}], ${placeName(to)(cell.copies[0])}: comes from ${placeName(from)(found.source)} of D`;
        drawLeft(found.source);
    };
    left.point = cell => ($('moved').textContent = `D: ${cell.copies.map(placeName(from)).join('; ')}, one of ${heldBy(from, cell.copies[0]?.lane).length} of its lane`);
    $('moves').replaceChildren(table(['lane', 'value', 'from lane', 'value'], answer.moves.filter(move => kindOf(move) !== SAME).slice(0, 512)
        .map(move => [move.lane, move.value, move.from_lane, move.from_value])));
}

export const nextView = {
    name: 'next', title: 'Next instruction',

    build(root, page) {
        left = new Picture('D of the first');
        right = new Picture('operand of the second');
        root.append(
            element('div', { class: 'row' },
                element('label', {}, 'D becomes ', element('select', { id: 'into', onchange: e => page.go({ into: e.target.value }) })),
                element('label', {}, 'of ', element('input', { id: 'next', list: 'others', size: 34, placeholder: 'the same instruction', spellcheck: 'false',
                    onchange: e => page.go({ next: e.target.value.trim(), nextmods: '' }) })), element('datalist', { id: 'others' }),
                element('span', { id: 'nextmods', role: 'group', 'aria-label': 'Modifiers of the second instruction' })),
            element('div', { id: 'next-problem' }),
            element('div', { id: 'next-answer' },
                element('p', { id: 'exchange', role: 'status' }),
                element('p', { class: 'row legend' }, ...['in its place', 'same lane, another place', 'from another lane'].map(text =>
                    element('span', {}, element('span', { class: 'swatch' }), ' ', text))),
                element('p', { id: 'moved', class: 'answer', role: 'status', 'aria-live': 'polite' }, 'Point at a cell on the right to see where its value comes from.'),
                element('div', { class: 'side' }, left.root, right.root),
                element('details', {}, element('summary', {}, 'The exchange as a table'), element('div', { id: 'moves', class: 'scroll' }))));
        options($('into'), ['A', 'B', 'C'].map(each => [each]));
    },

    show(page) {
        const { library } = page, names = library.ask(['list', '--arch', state.arch]).instructions.map(each => each.mnemonic);
        if ($('others').dataset.arch !== state.arch) options($('others'), names.map(each => [each]));
        $('others').dataset.arch = state.arch;
        $('into').value = state.into;
        $('next').value = state.next;
        const wave = state.wave ? ['--wave', state.wave] : [], second = [state.next, '--arch', state.arch, ...wave];
        modifierFields($('nextmods'), state.next && library.ask(['info', ...second]).modifiers, state.nextmods, nextmods => page.go({ nextmods }));
        const mods = state.nextmods.split(' ').filter(Boolean);
        const answer = library.ask(['layout', ...instructionWords(), '--operand', 'D',
            '--next', state.next ? `${[state.next, ...mods].join(' ')}:${state.into}` : state.into]);
        const from = layoutOf(library, 'D'), to = layoutOf(library, state.into, state.next ? [...second, ...mods.flatMap(word => ['--mod', word])] : instructionWords());
        const problem = [answer, from, to].find(each => each.error);
        this.answer = answer;
        $('next-problem').replaceChildren(problem ? complaint(problem) : '');
        $('next-answer').hidden = Boolean(problem);
        if (problem) return;
        $('exchange').textContent = summary(answer);
        show(page, from, to, answer);
    },
};
