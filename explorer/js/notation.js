// SPDX-License-Identifier: MIT
// The view "Notations": the shown layout as other tools write it, and a pasted one compared with it.
import { $, complaint, element, options, table } from './dom.js';
import { Picture, matrixScene } from './grid.js';
import { layoutOf, sentence } from './layout.js';
import { instructionWords, state } from './state.js';

const FORMATS = [['cute', 'CuTe'], ['triton', 'Triton'], ['gluon', 'Gluon'], ['iree', 'IREE'], ['tirx', 'TIRx'], ['ck', 'Composable Kernel'],
    ['formula', 'lane arithmetic'], ['listing', 'listing'], ['csv', 'CSV'], ['calculator', "AMD's calculator"], ['latex', 'LaTeX'], ['table', 'table'], ['grid', 'grid']];
let struck;

function write(library) {
    const { out, notes, status } = library.run(['layout', ...instructionWords(), '--operand', state.operand, '--format', state.format]);
    $('written').textContent = status ? notes.replace(/^lanewise: layout: /, '').trim() : out;
    $('written').classList.toggle('error', status !== 0);
    $('copy').disabled = status !== 0;
    return status ? '' : out;
}

const VERDICTS = { equal: 'yes', 'k renamed': 'unknown', 'other order': 'unknown' };

function judge(page, layout) {
    const verdict = page.library.ask(['layout', ...instructionWords(), '--operand', state.operand, '--check', state.notation]);
    if (verdict.error) {
        $('verdict').replaceChildren(complaint(verdict));
        struck.root.hidden = true;
        return verdict;
    }
    $('verdict').replaceChildren(
        element('p', {}, element('strong', { class: VERDICTS[verdict.verdict] ?? 'no' }, verdict.verdict),
            `, read as ${verdict.notation}. ${verdict.wrong} of ${verdict.places} places are otherwise.`),
        element('pre', {}, verdict.text));
    struck.root.hidden = verdict.picture.length === 0;
    if (!struck.root.hidden)
        struck.show(matrixScene(layout, page.room(), state.colour, ({ at: [block, x, y] }) =>
            ({ wrong: verdict.picture[block * layout.x.count + x]?.[y] === 'X' })), `${state.insn} ${state.operand}, wrong cells struck out`);
    return verdict;
}

function guess(page) {
    const answer = page.library.ask(['layout', '--guess', state.notation, '--arch', state.arch]);
    if (answer.error) return $('guesses').replaceChildren(complaint(answer));
    $('guesses').replaceChildren(answer.fits.length
        ? table(['instruction', 'operand', 'verdict', 'wave'], answer.fits.map(each => [
            element('a', { href: '#', onclick: event => (event.preventDefault(), page.go({ insn: each.instruction, operand: each.operand })) }, each.instruction),
            each.operand, each.verdict, each.wave]))
        : element('p', {}, `It fits no operand on ${state.arch}.`));
}

export const notationView = {
    name: 'notation', title: 'Notations',

    build(root, page) {
        struck = new Picture('verdict', cell => cell.at && ($('wrong').textContent = sentence(this.layout, cell.at)));
        root.append(
            element('h2', {}, 'This layout, written as'),
            element('div', { class: 'row' },
                element('label', {}, 'Notation ', element('select', { id: 'format', onchange: e => page.go({ format: e.target.value }) })),
                element('button', { id: 'copy', onclick: () => navigator.clipboard?.writeText($('written').textContent) }, 'Copy'),
                element('button', { onclick: () => page.go({ notation: $('written').textContent.trim() }) }, 'Use below')),
            element('pre', { id: 'written', class: 'scroll', tabindex: 0 }),
            element('h2', {}, 'Is this the layout?'),
            element('textarea', { id: 'notation', rows: 4, spellcheck: 'false', 'aria-label': 'A layout in any notation',
                placeholder: "i = l%16, k = 4*(l/16)+v     or     ((16,4),4):((1,64),16)     or     #ttg.linear<{..}>     or a listing" }),
            element('div', { class: 'row' },
                element('button', { id: 'check', onclick: () => page.go({ notation: $('notation').value.trim() }) }, 'Compare'),
                element('button', { id: 'guess', onclick: () => (page.go({ notation: $('notation').value.trim() }), state.notation && guess(page)) }, 'Which operands have it?')),
            element('div', { id: 'verdict', role: 'status' }), element('p', { id: 'wrong', class: 'answer' }), struck.root, element('div', { id: 'guesses', class: 'scroll' }));
        options($('format'), FORMATS);
    },

    show(page) {
        const layout = layoutOf(page.library, state.operand);
        $('format').value = state.format;
        if (this.shown !== state.notation) $('notation').value = this.shown = state.notation; // else something may have been typed
        $('guesses').replaceChildren();
        $('wrong').textContent = '';
        this.layout = layout;
        this.written = write(page.library);
        this.verdict = null;
        $('verdict').replaceChildren();
        struck.root.hidden = true;
        if (state.notation) this.verdict = judge(page, layout);
    },
};
