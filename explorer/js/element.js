// SPDX-License-Identifier: MIT
// The view "One element": what an element of D is computed from, group by group.
import { $, badge, complaint, element, options, table } from './dom.js';
import { Picture, bitsName, elementName, matrixScene, placeName, placesOf } from './grid.js';
import { layoutOf, numbersOf } from './layout.js';
import { instructionWords, state } from './state.js';

const KINDS = [['random', 'random'], ['cancellation', 'that cancel'], ['subnormal', 'subnormal'], ['nan', 'with NaN and infinity']];
let pictures, shell, carried;

// The arrays, and the answer of eval about the element.
export function explained(library, at) {
    const target = instructionWords();
    const made = library.ask(['numbers', ...target, '--kind', state.kind, '--seed', state.seed, '--at', at.join(','),
        ...[['--row', state.row], ['--column', state.column], ['--c', state.c]].filter(([, text]) => text).flat()]);
    if (made.error) return { made };
    const files = made.arrays.flatMap(({ option, file }) => [`--${option}`, file]);
    return { made, answer: library.ask(['eval', ...target, ...files, '--explain', at.join(',')]) };
}

// The steps of each group, in order.
function groupsOf(steps) {
    const groups = [];
    for (const step of steps) if (step.group >= 0) (groups[step.group] ??= []).push(step);
    return groups.filter(Boolean);
}

// Which cells of an operand lead to the element: { all, now }, for the element and for the shown group.
function feeds(operand, at, products, now) {
    const [row, col, block] = at, stored = step => step.stored_k ?? step.k;
    const among = (steps, k) => steps.some(step => k(step));
    return cell => {
        if (!cell.at || cell.at[0] !== block) return { all: false };
        const [, x, y] = cell.at;
        switch (operand) {
        case 'A': return { all: x === row, now: x === row && among(now, step => stored(step) === y) };
        case 'B': return { all: y === col && (!products.length || among(products, step => step.k === x)), now: y === col && among(now, step => step.k === x) };
        case 'index': return { all: x === row, now: false };
        case 'scale_a': return { all: x === row, now: false };
        case 'scale_b': return { all: x === col, now: false };
        default: return { all: x === row && y === col, now: false };
        }
    };
}

function showOperand(picture, layout, at, products, now) {
    picture.root.hidden = false;
    const lit = feeds(layout.operand, at, products, now);
    picture.show(matrixScene(layout, shell.room() / 2 - 20, state.colour, cell => {
        const { all, now: here } = lit(cell);
        return { faint: !all, mark: here || (all && 'CD'.includes(layout.operand)) };
    }), `${state.insn} ${layout.operand}, what feeds D[${at[0]}][${at[1]}]`);
    picture.canvas.style.maxWidth = 'none';
}

const places = (layout, block, x, y) => layout.error ? 'shared memory' : placesOf(layout, block, x, y).map(placeName(layout)).join('; ') || '-';

// The products of a group, with the lanes that hold their factors; the codes are those of the arrays.
function productTable(layouts, at, steps, made) {
    const [row, col, block] = at, code = number => element('code', {}, number?.code ?? '-');
    return table(['k', 'A held by', 'A', 'B held by', 'B'], steps.map(step => {
        const k = step.stored_k == null ? step.k : `${step.k} (stored ${step.stored_k})`;
        return [k, places(layouts.A, block, row, step.stored_k ?? step.k), code(made.row[step.stored_k ?? step.k]),
            places(layouts.B, block, step.k, col), code(made.column[step.k])];
    }));
}

function showGroup(layouts, at, groups, answer, made) {
    const last = groups.length - 1, number = Math.max(0, Math.min(last, Number(state.group) || 0)), steps = groups[number] ?? [];
    const now = steps.filter(step => step.kind === 'product'), result = answer.explain.find(step => step.kind === 'result');
    const after = steps.findLast(step => step.kind === 'round' || step.kind === 'special');
    $('step').max = last;
    $('step').value = number;
    $('back').disabled = number === 0;
    $('on').disabled = number === last;
    $('group').textContent = `Group ${number + 1} of ${groups.length}` +
        (now.length ? `, k ${now[0].k} to ${now.at(-1).k}` : '') + (after && number < last ? `; the sum so far is ${after.text.slice(after.text.lastIndexOf(': ') + 2)}` : '') + '.';
    $('steps').textContent = steps.map(step => step.text).join('\n') + (number === last && result ? `\n${result.text}` : '');
    $('products').replaceChildren(now.length ? productTable(layouts, at, now, made) : '');
    const products = groups.flat().filter(step => step.kind === 'product');
    for (const [name, layout] of Object.entries(layouts))
        if (layout.error) pictures[name].root.hidden = true;
        else showOperand(pictures[name], layout, at, products, now);
}

function showEvidence(answer) {
    $('element-evidence').replaceChildren(
        element('p', {}, 'These numbers rest on: ', badge(answer.weakest)),
        table(['aspect', 'label', 'source'], answer.evidence.map(each => [each.aspect, badge(each.label), each.source])),
        ...answer.open.map(each => element('p', { class: 'open' }, element('strong', {}, 'Open: '),
            `${each.topic} decides these numbers; read as ${each.name} (${each.label}), another reading gives other bits.`)));
}

// The element that is asked for, [row, column, block]; else { error }. Where none is asked for, the fourth row's sixth, if there is one.
function chosen(rows, columns, blocks) {
    if (!state.at) return [Math.min(3, rows - 1), Math.min(5, columns - 1), 0];
    const [row, column, block = 0, ...more] = numbersOf(state.at);
    if (row < rows && column < columns && block < blocks && !more.length) return [row, column, block];
    return { error: `${state.at}: rows are 0 to ${rows - 1} and columns 0 to ${columns - 1}` +
        (blocks > 1 ? `, blocks 0 to ${blocks - 1}; say row, column and block, as in 3,2,1` : '; say both, as in 3,5') };
}

// An element of an instruction that only moves elements: where executing it takes the element from, or puts it.
function moveOf(library, info) {
    const { operand } = info.operands[0], layout = layoutOf(library, operand);
    if (layout.error) return { answer: layout };
    const at = chosen(layout.x.count, layout.y.count, layout.blocks);
    return at.error ? { answer: at } : { layout, at, answer: library.ask(['moved', ...instructionWords(), '--at', at.join(',')]) };
}

const memoryName = place => `byte ${place.byte}${place.bit ? `, from its bit ${place.bit} on` : ''}` +
    (place.row_of_lane == null ? '' : `: byte ${place.byte_of_row} of the row at lane ${place.row_of_lane}'s address`);

const moveNames = {
    load: (place, here) => [memoryName(place), here],
    store: (place, here) => [here, memoryName(place)],
    registers: (place, here) => [here, `lane ${place.to_lane}, register ${place.to_reg}, from bit ${place.to_lsb} on`],
};

function showMove({ layout, at, answer }) {
    const name = elementName(layout, { block: at[2], x: at[0], y: at[1] }), pairs = answer.places.map(place =>
        moveNames[answer.moves](place, `lane ${place.lane}, ${bitsName(place).replace('bit', `register ${place.reg}, bit`)}`));
    $('carried').textContent = `${name}: ${pairs.map(([from, to]) => `from ${from}, to ${to}`).join('; ')}.`;
    carried.layout = layout;
    carried.show(matrixScene(layout, shell.room(), state.colour, cell => ({ mark: cell.at.join() === [at[2], at[0], at[1]].join() })),
        `${state.insn} ${layout.operand}, an element that is moved`);
    $('carried-table').replaceChildren(table(['from', 'to'], pairs, 'Memory begins at byte 0' +
        (answer.rows_by_lane ? "; lane L's address is 16 L" : answer.moves === 'registers' ? '' : '; rows lie one after another')),
        element('p', {}, 'Layout: ', badge(answer.evidence), ' ', answer.note), answer.open ? element('p', { class: 'open' }, element('strong', {}, 'Open: '), answer.open) : '');
}

const list = numbers => numbers.map(each => each.text).join(', ');

export const elementView = {
    name: 'element', title: 'One element',

    build(root, shown) {
        shell = shown;
        const set = name => event => shell.go({ [name]: event.target.value.trim() });
        const step = by => () => shell.go({ group: String(Number($('step').value) + by) }, { quiet: true });
        pictures = {};
        root.append(
            element('div', { class: 'row' },
                element('label', {}, element('span', { id: 'at-of' }, 'Element of D'), ' ', element('input', { id: 'at', size: 8, onchange: set('at') })),
                element('label', {}, 'Numbers ', element('select', { id: 'kind', onchange: e => shell.go({ kind: e.target.value, row: '', column: '', c: '' }) })),
                element('label', {}, 'Seed ', element('input', { id: 'seed', size: 5, onchange: set('seed') })),
                element('button', { id: 'others-numbers', onclick: () => shell.go({ seed: String(Number(state.seed) + 1), row: '', column: '', c: '' }) }, 'Others')),
            element('details', { id: 'typed' }, element('summary', {}, 'Type the numbers of this row, column and C'),
                element('label', {}, 'Row of A', element('textarea', { id: 'row', rows: 2, spellcheck: 'false', onchange: set('row') })),
                element('label', {}, 'Column of B', element('textarea', { id: 'column', rows: 2, spellcheck: 'false', onchange: set('column') })),
                element('label', {}, 'C ', element('input', { id: 'c', onchange: set('c') })),
                element('small', {}, ' Decimals, nan, inf; 0x.. is a code. What the format lacks becomes the nearest that it has.')),
            element('div', { id: 'element-problem' }),
            element('div', { id: 'carried-answer' },
                element('p', { id: 'carried', class: 'answer', role: 'status', 'aria-live': 'polite' }),
                (carried = new Picture('moved', (cell, chosen) => {
                    if (chosen && cell.at) shell.go({ at: [...cell.at.slice(1), ...(cell.at[0] ? [cell.at[0]] : [])].join(',') });
                    else if (cell.at) $('carried').textContent = cell.copies.map(placeName(carried.layout)).join('; ');
                })).root, element('div', { id: 'carried-table', class: 'scroll' })),
            element('div', { id: 'element-answer' },
                element('p', { id: 'result', class: 'answer', role: 'status', 'aria-live': 'polite' }),
                element('div', { class: 'row' },
                    element('button', { id: 'back', onclick: step(-1), 'aria-label': 'Group before' }, '◀'),
                    element('input', { id: 'step', type: 'range', min: 0, value: 0, 'aria-label': 'Group', oninput: e => shell.go({ group: e.target.value }, { quiet: true }) }),
                    element('button', { id: 'on', onclick: step(1), 'aria-label': 'Next group' }, '▶'),
                    element('span', { id: 'group', role: 'status' })),
                element('pre', { id: 'steps', tabindex: 0 }),
                element('div', { id: 'pictures', class: 'side' }),
                element('details', { open: true }, element('summary', {}, 'Lanes and registers that feed this group'), element('div', { id: 'products', class: 'scroll' })),
                element('div', { id: 'element-evidence' })));
        options($('kind'), KINDS);
        for (const name of ['A', 'B', 'D', 'index', 'scale_a', 'scale_b']) {
            pictures[name] = new Picture(name, (cell, chosen) => {
                if (chosen && name === 'D' && cell.at) shell.go({ at: [...cell.at.slice(1), ...(cell.at[0] ? [cell.at[0]] : [])].join(','), row: '', column: '', c: '' });
                else if (cell.at) $('result').textContent = `${name}: ${cell.copies.map(placeName(pictures[name].layout)).join('; ')}`;
            });
            $('pictures').append(pictures[name].root);
        }
    },

    show(shown, info) {
        for (const id of ['kind', 'seed', 'typed']) $(id).closest('label, details').hidden = Boolean(info.moves);
        $('others-numbers').hidden = Boolean(info.moves);
        $('at-of').textContent = `Element of ${info.moves ? info.operands[0].operand : 'D'}`;
        $('carried-answer').hidden = !info.moves;
        if (info.moves) {
            const move = moveOf(shell.library, info);
            this.last = move;
            $('element-answer').hidden = true;
            $('carried-answer').hidden = Boolean(move.answer.error);
            $('element-problem').replaceChildren(move.answer.error ? complaint(move.answer) : '');
            $('at').value = state.at;
            if (move.answer.error) return;
            $('at').value = (move.layout.blocks > 1 ? move.at : move.at.slice(0, 2)).join(',');
            showMove(move);
            return;
        }
        const at = chosen(info.m, info.n, info.blocks);
        if (at.error) {
            $('at').value = state.at;
            $('element-problem').replaceChildren(complaint(at));
            $('element-answer').hidden = true;
            return;
        }
        $('at').value = (info.blocks > 1 ? at : at.slice(0, 2)).join(',');
        $('kind').value = state.kind;
        $('seed').value = state.seed;
        const { made, answer } = explained(shell.library, at);
        const problem = made.error ? made : answer.error ? answer : null;
        $('element-problem').replaceChildren(problem ? complaint(problem) : '');
        $('element-answer').hidden = Boolean(problem);
        this.last = { at, made, answer };
        if (problem) return;
        $('row').value = list(made.row);
        $('column').value = list(made.column);
        $('c').value = made.c.text;
        const layouts = {};
        for (const { operand } of info.operands) if (pictures[operand]) pictures[operand].layout = layouts[operand] = layoutOf(shell.library, operand);
        for (const name of Object.keys(pictures)) pictures[name].root.hidden = !layouts[name];
        const result = answer.explain.findLast(step => step.kind === 'result');
        $('result').textContent = `${result?.text ?? ''}, held by ${places(layouts.D, at[2], at[0], at[1])}`;
        pictures.D.at = (at[2] * info.m + at[0]) * info.n + at[1];
        showGroup(layouts, at, groupsOf(answer.explain), answer, made);
        showEvidence(answer);
    },
};
