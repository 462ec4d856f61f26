// SPDX-License-Identifier: MIT
// The view "Shared memory": an operand loaded from a tile, its bank conflicts, and what removes them.
import { $, badge, complaint, element, options, table } from './dom.js';
import { Picture } from './grid.js';
import { hue } from './scene.js';
import { instructionWords, state } from './state.js';

const READS = ['b128', 'b96', 'b64', 'b32', 'b16', 'b8'];
const ACCESSES = [['', 'the widest read'], ...[...READS, ...READS.map(each => `write:${each}`), 'ldmatrix'].map(each => [each])];
let tilePicture, lanePicture;

// Elements of the tile, coloured by bank; those at which a lane's first access begins have the lane's number.
export function tileScene(answer, room) {
    const rows = answer.banks_of, cols = rows[0].length, size = Math.max(7, Math.min(26, Math.floor((room - 40) / cols)));
    const cells = [], labels = [{ x: 30, y: 8, text: 'rows down, columns across; the colour is the bank of an element', anchor: 'left' }];
    rows.forEach((row, i) => {
        if (i % 4 === 0) labels.push({ x: 27, y: 24 + (i + 0.5) * size, text: i, anchor: 'right', size: 9 });
        row.forEach((bank, j) => cells.push({ x: 30 + j * size, y: 24 + i * size, w: size, h: size, fill: hue(bank, answer.banks), lines: size > 13 ? [String(bank)] : [], at: [i, j], bank, copies: [] }));
    });
    for (let j = 0; j < cols; j += 8) labels.push({ x: 30 + (j + 0.5) * size, y: 18, text: j, size: 9 });
    return { width: 40 + cols * size, height: 30 + rows.length * size, cells, labels, stride: cols };
}

// The lanes that meet in a cell of that width; of many, their number.
function namesOf(lanes, width) {
    if (lanes.length <= 3) return lanes.map(each => String(each.lane));
    return width < 40 ? [String(lanes.length), 'lanes'] : [lanes.slice(0, 2).map(each => each.lane).join(' ') + ' ..', `${lanes.length} lanes`];
}

// A line for each phase, a column for each bank: which lanes' first accesses cover it. Several addresses there are a conflict.
export function lanesOfBanks(answer, room) {
    const phases = Math.max(...answer.first.map(each => each.phase)) + 1, wide = Math.max(1, answer.bytes / 4), tall = 42;
    const size = Math.max(12, Math.min(26, Math.floor((room - 40) / answer.banks))), cells = [], labels = [
        { x: 30, y: 8, text: 'phases down, banks across: lanes; struck out: several addresses', anchor: 'left' }];
    for (let phase = 0; phase < phases; phase++) {
        labels.push({ x: 27, y: 24 + (phase + 0.5) * tall, text: phase, anchor: 'right', size: 10 });
        for (let bank = 0; bank < answer.banks; bank += wide) {
            const lanes = answer.first.filter(each => each.phase === phase && each.bank === bank), places = new Set(lanes.map(each => each.byte));
            cells.push({ x: 30 + bank * size, y: 24 + phase * tall, w: wide * size, h: tall, fill: lanes.length ? hue(bank, answer.banks) : 'transparent',
                lines: namesOf(lanes, wide * size),
                wrong: places.size > 1, at: [phase, bank], lanes, copies: [] });
        }
    }
    for (let bank = 0; bank < answer.banks; bank += 4) labels.push({ x: 30 + (bank + 0.5) * size, y: 18, text: bank, size: 9 });
    return { width: 40 + answer.banks * size, height: 30 + phases * tall, cells, labels, stride: Math.ceil(answer.banks / wide) };
}

// The answer about the access that is chosen, or about the widest one that fits.
function banksOf(library) {
    const ask = access => library.ask(['layout', ...instructionWords(), '--operand', state.operand, '--banks', access,
        ...(state.shape ? ['--shape', state.shape] : []), ...(state.tile ? ['--tile', state.tile] : [])]);
    if (state.access) return ask(state.access);
    let first;
    for (const access of READS) {
        const answer = ask(access);
        if (!answer.error) return answer;
        first ??= answer;
    }
    return first;
}

const turns = each => [each.phases, each.turns, each.degree > 1 ? `${each.degree}-way conflicts` : 'no conflicts'];

function compare(page, answer) {
    const use = tile => element('button', { class: 'quiet', onclick: () => page.go({ tile }) }, 'Use');
    const rows = [['this tile', ...turns(answer.here), '']];
    if (answer.plain) rows.push(['plain rows or columns', ...turns(answer.plain), use('')]);
    const { swizzle, padding, notations = [] } = answer;
    const swizzled = notations.find(text => text.startsWith('Sw<')), padded = notations.find(text => /^\(/.test(text));
    if (swizzle?.found) rows.push([`Swizzle<${swizzle.b},${swizzle.m},${swizzle.s}> of bytes`, ...turns(swizzle.turns), swizzled ? use(swizzled) : '']);
    if (padding?.found) rows.push([`${padding.bytes} bytes of padding per row`, ...turns(padding.turns), padded ? use(padded) : '']);
    return table(['tile', 'phases', 'turns they take', 'worst phase', ''], rows, 'Before and after');
}

export const banksView = {
    name: 'banks', title: 'Shared memory',

    build(root, page) {
        tilePicture = new Picture('tile', cell => ($('bank').textContent = `row ${cell.at[0]}, column ${cell.at[1]}: bank ${cell.bank}`));
        lanePicture = new Picture('lanes', cell => ($('bank').textContent = `phase ${cell.at[0]}, bank ${cell.at[1]}: ` +
            (cell.lanes.map(each => `lane ${each.lane} at byte ${each.byte}`).join(', ') || 'no lane begins here')));
        const set = name => event => page.go({ [name]: event.target.value.trim() });
        root.append(
            element('div', { class: 'row' },
                element('label', {}, 'Access of a lane ', element('select', { id: 'access', onchange: set('access') })),
                element('label', {}, 'Tile ', element('input', { id: 'shape', size: 9, placeholder: '64x64', onchange: set('shape') })),
                element('label', {}, 'laid out as ', element('input', { id: 'tile', size: 30, placeholder: 'plain; Swizzle<3,3,3>; (64,64):(72,1)', spellcheck: 'false', onchange: set('tile') }))),
            element('div', { id: 'banks-problem' }),
            element('div', { id: 'banks-answer' }, element('p', { id: 'rule', role: 'status' }), element('div', { id: 'turns' }),
                element('p', { id: 'bank', class: 'answer', role: 'status', 'aria-live': 'polite' }), lanePicture.root, tilePicture.root,
                element('details', {}, element('summary', {}, 'What removes the conflicts, in other notations'), element('pre', { id: 'repairs' }))));
        options($('access'), ACCESSES);
    },

    show(page) {
        for (const name of ['access', 'shape', 'tile']) $(name).value = state[name];
        const answer = banksOf(page.library);
        this.answer = answer;
        $('banks-problem').replaceChildren(answer.error ? complaint(answer) : '');
        $('banks-answer').hidden = Boolean(answer.error);
        if (answer.error) return;
        $('rule').replaceChildren(`${answer.rows} x ${answer.cols} elements; ${answer.operands} operand${answer.operands > 1 ? 's' : ''} of ` +
            `${answer.accesses} access${answer.accesses > 1 ? 'es' : ''} of ${answer.bytes * 8} bits per lane; ${answer.banks} banks. `, badge(answer.evidence), ` ${answer.source}`);
        $('turns').replaceChildren(compare(page, answer));
        $('bank').textContent = '';
        lanePicture.root.hidden = !answer.first.length;
        if (answer.first.length) lanePicture.show(lanesOfBanks(answer, page.room()), `${state.insn} ${state.operand}, first access by phase and bank`);
        tilePicture.root.hidden = !answer.banks_of.length;
        if (answer.banks_of.length) tilePicture.show(tileScene(answer, page.room()), `tile of ${answer.rows} x ${answer.cols}, ${answer.tile}`);
        $('repairs').textContent = (answer.notations ?? []).join('\n') || 'none needed, or none found';
    },
};
