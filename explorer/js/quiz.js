// SPDX-License-Identifier: MIT
// The view "Quiz": the questions of `lanewise quiz`, judged and explained by it.
import { lanesOfBanks, tileScene } from './banks.js';
import { $, complaint, element, options, save } from './dom.js';
import { Picture, elementName, matrixScene, placeName } from './grid.js';
import { layoutOf } from './layout.js';
import { state } from './state.js';

const LEVELS = [['1', '1: dense, whole registers, small numbers'], ['2', '2: packed registers, bank conflicts, fractions'],
    ['3', '3: every instruction, swizzles, lost bits']];
let correct, answered, drawn;

const seriesWords = more => ['quiz', '--level', state.level, '--seed', state.quizseed, ...(state.everywhere ? [] : ['--arch', state.arch]), ...more];

// The words of question number state.quiz.
const quizWords = more => seriesWords(['--number', state.quiz, ...more]);

// Where the page shows the same: the state that a link sets.
const PLACES = {
    place: ({ operand, block, x, y }) => ({ view: 'layout', operand, cell: [block, x, y].join(',') }),
    operands: ({ operand, block, x, y }) => ({ view: 'layout', operand, cell: [block, x, y].join(',') }),
    holds: ({ operand, lane }) => ({ view: 'layout', operand, lane: String(lane) }),
    registers: ({ operand, lane }) => ({ view: 'layout', operand, lane: String(lane) }),
    turns: ({ operand, access, rows, columns }) => ({ view: 'banks', operand, access, shape: `${rows}x${columns}` }),
    swizzle: ({ operand, access, rows, columns }) => ({ view: 'banks', operand, access, shape: `${rows}x${columns}` }),
    bits: ({ row, column, products, c }, info) => {
        const numbers = part => Array.from({ length: info.k }, (_, k) => products.find(each => each.k === k)?.[part] ?? '0').join(',');
        return { view: 'element', at: `${row},${column}`, row: numbers('a'), column: numbers('b'), c };
    },
};

// The cells of an operand that answer: { mark, faint } of a cell.
const LIT = {
    place: ({ block, x, y }) => cell => cell.at.join() === [block, x, y].join(),
    operands: ({ block, x, y }) => cell => cell.at.join() === [block, x, y].join(),
    holds: about => cell => cell.copies.some(each => each.lane === about.lane && each.reg <= about.register && about.register * 32 <= each.reg * 32 + each.msb),
    registers: about => cell => cell.copies.some(each => each.lane === about.lane),
};

function drawLayout(picture, name, layout, lit, room) {
    picture.layout = layout;
    picture.show(matrixScene(layout, room, 'register', cell => (lit(cell) ? { mark: true } : { faint: true })), `${name} ${layout.operand}`);
    picture.root.hidden = false;
    picture.at = Math.max(0, picture.scene.cells.findIndex(cell => cell.mark));
    picture.reveal();
}

// A tile, and which lanes meet in a bank: as it is stored, and with the swizzle that is the answer.
function drawTiles(page, answer, target) {
    const { operand, access, rows, columns } = answer.about;
    const ask = more => page.library.ask(['layout', ...target, '--operand', operand, '--banks', access, '--shape', `${rows}x${columns}`, ...more]);
    const shown = [[ask([]), 'as stored'], ...(answer.kind === 'swizzle' ? [[ask(['--tile', answer.answer]), answer.answer]] : [])];
    shown.filter(([banks]) => !banks.error).forEach(([banks, name], i) => {
        const scenes = [banks.first.length && [lanesOfBanks(banks, page.room()), `first access by phase and bank, ${name}`],
            banks.banks_of.length && [tileScene(banks, page.room()), `banks of the tile, ${name}`]];
        scenes.forEach((scene, part) => {
            if (!scene) return;
            drawn[2 * i + part].show(...scene);
            drawn[2 * i + part].root.hidden = false;
        });
    });
}

// The picture that goes with an explanation.
function drawAnswer(page, answer) {
    const { about, kind } = answer, target = [answer.instruction, '--arch', answer.arch];
    $('quiz-pictures').className = kind === 'bits' || kind === 'operands' ? 'side' : '';
    if (kind === 'turns' || kind === 'swizzle') return drawTiles(page, answer, target);
    const names = kind === 'bits' ? ['A', 'B', 'D'] : kind === 'operands' ? answer.answer.split(' ') : [about.operand];
    const used = k => kind === 'bits' && about.products.some(each => each.k === k);
    const lit = { A: ({ at }) => at[1] === about.row && used(at[2]), B: ({ at }) => at[2] === about.column && used(at[1]),
        D: ({ at }) => at[1] === about.row && at[2] === about.column };
    names.forEach((operand, i) => {
        const layout = layoutOf(page.library, operand, target);
        if (!layout.error)
            drawLayout(drawn[i], answer.instruction, layout, kind === 'bits' ? lit[operand] : LIT[kind](about), names.length > 1 ? page.room() / 2 - 20 : page.room());
    });
}

export const quizView = {
    name: 'quiz', title: 'Quiz',

    build(root, page) {
        const anew = changes => {
            this.series = this.question = null;
            page.go({ quiz: '1', ...changes });
        };
        const judge = () => this.judge(page, $('mine').value.trim());
        root.append(
            element('div', { class: 'row' },
                element('label', {}, 'Level ', element('select', { id: 'level', onchange: e => anew({ level: e.target.value }) })),
                element('label', {}, 'About ', element('select', { id: 'everywhere', onchange: e => anew({ everywhere: e.target.value }) })),
                element('label', {}, 'Seed ', element('input', { id: 'quizseed', size: 6, inputmode: 'numeric', onchange: e => anew({ quizseed: e.target.value.trim() }) })),
                element('button', { id: 'sheet', title: 'Ten questions and, after them, their solutions, as Markdown', onclick: () => this.saveSheet(page) }, 'Worksheet'),
                element('span', { id: 'score', role: 'status' })),
            element('div', { id: 'quiz-problem' }),
            element('div', { id: 'quiz-answer' },
                element('h2', { id: 'quiz-number' }),
                element('p', { id: 'question', role: 'status' }),
                element('form', { class: 'row', onsubmit: event => (event.preventDefault(), judge()) },
                    element('label', {}, 'Your answer ', element('input', { id: 'mine', size: 34, autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'form' })),
                    element('button', { id: 'judge', type: 'submit' }, 'Check'),
                    element('button', { id: 'reveal', type: 'button', onclick: () => this.judge(page, '') }, 'Show the answer'),
                    element('button', { id: 'another', type: 'button', onclick: () => page.go({ quiz: String(Number(state.quiz) + 1) }) }, 'Next question')),
                element('small', { id: 'form' }),
                element('p', { id: 'judged', class: 'answer', role: 'status', 'aria-live': 'polite' }),
                element('p', { id: 'quiz-cell', class: 'answer', role: 'status', hidden: true }),
                element('div', { id: 'quiz-pictures' }, ...(drawn = Array.from({ length: 4 }, () => new Picture('answer'))).map(each => each.root)),
                element('pre', { id: 'explained', tabindex: 0, 'aria-label': 'Explanation', hidden: true }),
                element('p', { id: 'follow' })));
        for (const picture of drawn)
            picture.point = cell => {
                const { layout } = picture;
                $('quiz-cell').textContent = cell.bank != null ? `row ${cell.at[0]}, column ${cell.at[1]}: bank ${cell.bank}`
                    : cell.lanes ? `phase ${cell.at[0]}, bank ${cell.at[1]}: ${cell.lanes.map(each => `lane ${each.lane} at byte ${each.byte}`).join(', ') || 'no lane begins here'}`
                        : `${elementName(layout, { block: cell.at[0], x: cell.at[1], y: cell.at[2] })}: ${cell.copies.map(placeName(layout)).join('; ')}`;
            };
        options($('level'), LEVELS);
    },

    saveSheet(page) {
        const { out, notes, status } = page.library.run(seriesWords(['--sheet', '--count', '10']));
        this.sheet = out;
        $('quiz-problem').replaceChildren(status ? complaint({ error: notes.trim() }) : '');
        if (!status) save(`exercises-${state.level}-${state.quizseed}.md`, new Blob([out], { type: 'text/markdown' }));
    },

    judge(page, mine) {
        const answer = page.library.ask(quizWords(['--answer', mine])), before = answered.has(state.quiz);
        this.verdict = answer;
        if (answer.error) {
            $('quiz-problem').replaceChildren(complaint(answer));
            return;
        }
        const says = { right: 'Right.', wrong: mine ? `Wrong${answer.why ? `: ${answer.why}` : ''}. The answer is ${answer.answer}.` : `The answer is ${answer.answer}.`,
            unreadable: `That cannot be read${answer.why ? `: ${answer.why}` : ''}.` };
        $('judged').textContent = says[answer.verdict];
        $('judged').className = `answer ${{ right: 'yes', wrong: mine ? 'no' : '', unreadable: 'unknown' }[answer.verdict]}`;
        if (answer.verdict === 'unreadable') return;
        if (!before) correct += answer.verdict === 'right';
        answered.add(state.quiz);
        $('score').textContent = `${correct} of ${answered.size} right`;
        $('explained').textContent = answer.explanation;
        $('explained').hidden = $('quiz-cell').hidden = false;
        drawAnswer(page, answer);
        $('quiz-cell').textContent = 'Point at a cell of a picture to read it.';
        const info = page.library.ask(['info', answer.instruction, '--arch', answer.arch]);
        $('follow').replaceChildren(element('code', {}, answer.command), ' ', element('a', {
            href: '#', onclick: event => {
                event.preventDefault();
                page.go({ arch: answer.arch, insn: answer.instruction, mods: '', wave: '', cell: '', lane: '', tile: '', ...PLACES[answer.kind](answer.about, info) });
            },
        }, 'Look at it in the page'));
    },

    show(page) {
        const series = [state.level, state.quizseed, state.everywhere || state.arch].join();
        if (this.series !== series) [correct, answered, this.series] = [0, new Set(), series]; // of each series, its own score
        $('level').value = state.level;
        options($('everywhere'), [['', state.arch], ['1', 'every GPU']], state.everywhere);
        $('quizseed').value = state.quizseed;
        const question = page.library.ask(quizWords([])), now = question.questions?.[0];
        if (now && this.question?.question === now.question && this.question.number === now.number) return this.verdict && drawAnswer(page, this.verdict); // another size, or another theme
        this.question = question.questions?.[0];
        this.verdict = null;
        $('quiz-problem').replaceChildren(question.error ? complaint(question) : '');
        $('quiz-answer').hidden = Boolean(question.error);
        if (question.error) return;
        $('quiz-number').textContent = `Question ${state.quiz}`;
        $('question').textContent = this.question.question;
        $('form').textContent = `Form of the answer: ${this.question.form}`;
        $('score').textContent = answered.size ? `${correct} of ${answered.size} right` : '';
        for (const picture of drawn) picture.root.hidden = true;
        $('quiz-cell').hidden = true;
        $('mine').value = $('judged').textContent = $('explained').textContent = '';
        $('explained').hidden = true;
        $('follow').replaceChildren();
        $('another').disabled = Number(state.quiz) >= 100;
    },
};
