// SPDX-License-Identifier: MIT
// The view "Two instructions": an operand of both side by side, or what lanes exchange so that D of one is an operand of the other.
import { $, complaint, element, modifierFields, options, table } from './dom.js';
import { Picture, heldBy, matrixScene, placeName } from './grid.js';
import { layoutOf, sentence } from './layout.js';
import { isDark } from './scene.js';
import { instructionWords, state } from './state.js';

const SAME = 0, PLACE = 1, LANE = 2;
const RELATIONS = [['A', 'D becomes A of'], ['B', 'D becomes B of'], ['C', 'D becomes C of'], ['=', 'side by side with']];
const MOST = 4096; // entries of a layout that is compared as a listing
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

function showExchange(page, from, to, answer) {
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

// Whether two operands have the same layout: one is written as a listing, the other compared with it.
function compared(library, first, second, operand) {
    const layout = library.ask(['layout', ...second, '--operand', operand]);
    if (layout.error || layout.entries.length > MOST) return null;
    const { out, status } = library.run(['layout', ...second, '--operand', operand, '--format', 'listing']);
    const verdict = status ? { error: true } : library.ask(['layout', ...first, '--operand', operand, '--check', out]);
    return verdict.error ? null : verdict;
}

// The same operand of both; an element that is pointed at is marked in both.
function showBeside(page, from, to, names, verdict) {
    const room = page.room() / 2 - 20, told = at => `${names[0]}: ${sentence(from, at)} ${names[1]}: ${sentence(to, at)}`;
    const drawBoth = at => {
        const style = cell => ({ mark: Boolean(at) && cell.at.join() === at.join() });
        left.show(matrixScene(from, room, state.colour, style), `${names[0]} ${from.operand}`);
        right.show(matrixScene(to, room, state.colour, style), `${names[1]} ${to.operand}`);
    };
    drawBoth(null);
    left.point = right.point = cell => {
        $('moved').textContent = told(cell.at);
        drawBoth(cell.at);
    };
    $('exchange').textContent = verdict ? verdict.text.split('\n')[0]
        : `${from.x.count} x ${from.y.count} elements of ${from.format} beside ${to.x.count} x ${to.y.count} of ${to.format}.`;
    $('moved').textContent = 'Point at an element to see its places in both.';
}

export const nextView = {
    name: 'next', title: 'Two instructions',

    build(root, page) {
        left = new Picture('D of the first');
        right = new Picture('operand of the second');
        root.append(
            element('div', { class: 'row' },
                element('select', { id: 'into', 'aria-label': 'Relation', onchange: e => page.go({ into: e.target.value }) }),
                element('label', {}, 'Second instruction ', element('input', { id: 'next', list: 'others', size: 34, placeholder: 'the same instruction', spellcheck: 'false',
                    onchange: e => page.go({ next: e.target.value.trim(), nextmods: '' }) })), element('datalist', { id: 'others' }),
                element('label', { id: 'on' }, 'on ', element('select', { id: 'nextarch', onchange: e => page.go({ nextarch: e.target.value, next: '', nextmods: '' }) })),
                element('span', { id: 'nextmods', role: 'group', 'aria-label': 'Modifiers of the second instruction' })),
            element('div', { id: 'next-problem' }),
            element('div', { id: 'next-answer' },
                element('p', { id: 'exchange', role: 'status' }),
                element('p', { id: 'kinds', class: 'row legend' }, ...['in its place', 'same lane, another place', 'from another lane'].map(text =>
                    element('span', {}, element('span', { class: 'swatch' }), ' ', text))),
                element('p', { id: 'moved', class: 'answer', role: 'status', 'aria-live': 'polite' }, 'Point at a cell on the right to see where its value comes from.'),
                element('div', { class: 'side' }, left.root, right.root),
                element('details', { id: 'table-of-moves' }, element('summary', {}, 'The exchange as a table'), element('div', { id: 'moves', class: 'scroll' }))));
        options($('into'), RELATIONS);
        options($('nextarch'), [['', 'the same GPU'], ...page.library.ask(['list']).archs.map(each => [each.arch, each.arch])]);
    },

    show(page) {
        const { library } = page, beside = state.into === '=', arch = beside && state.nextarch || state.arch;
        if (!RELATIONS.some(([name]) => name === state.into)) state.into = 'B';
        const names = library.ask(['list', '--arch', arch]).instructions?.map(each => each.mnemonic) ?? [];
        if ($('others').dataset.arch !== arch) options($('others'), names.map(each => [each]));
        $('others').dataset.arch = arch;
        $('into').value = state.into;
        $('next').value = state.next;
        $('nextarch').value = state.nextarch;
        $('on').hidden = !beside;
        const wave = state.wave && arch === state.arch ? ['--wave', state.wave] : [], second = [state.next || state.insn, '--arch', arch, ...wave];
        modifierFields($('nextmods'), state.next && library.ask(['info', ...second]).modifiers, state.nextmods, nextmods => page.go({ nextmods }));
        const mods = state.nextmods.split(' ').filter(Boolean), plain = !state.next && arch === state.arch;
        const target = plain ? instructionWords() : [...second, ...mods.flatMap(word => ['--mod', word])];
        const answer = beside ? {} : library.ask(['layout', ...instructionWords(), '--operand', 'D',
            '--next', state.next ? `${[state.next, ...mods].join(' ')}:${state.into}` : state.into]);
        const from = layoutOf(library, beside ? state.operand : 'D'), to = layoutOf(library, beside ? state.operand : state.into, target);
        const problem = [answer, from, to].find(each => each.error);
        this.answer = answer;
        $('next-problem').replaceChildren(problem ? complaint(problem) : '');
        $('next-answer').hidden = Boolean(problem);
        $('kinds').hidden = $('table-of-moves').hidden = beside;
        if (problem) return;
        if (beside) {
            this.answer = compared(library, instructionWords(), target, state.operand) ?? {};
            const namesOf = arch === state.arch ? [state.insn, target[0]] : [`${state.insn} (${state.arch})`, `${target[0]} (${arch})`];
            showBeside(page, from, to, namesOf, this.answer.verdict ? this.answer : null);
        } else {
            $('exchange').textContent = summary(answer);
            $('moved').textContent = 'Point at a cell on the right to see where its value comes from.';
            showExchange(page, from, to, answer);
        }
    },
};
