// SPDX-License-Identifier: MIT
// The view "Quiz": the questions of `lanewise quiz`, judged and explained by it.
import { $, complaint, element, options } from './dom.js';
import { state } from './state.js';

const LEVELS = [['1', '1: dense, whole registers, small numbers'], ['2', '2: packed registers, bank conflicts, fractions'],
    ['3', '3: every instruction, swizzles, lost bits']];
let correct, answered;

// The words of question number state.quiz.
const quizWords = more => ['quiz', '--level', state.level, '--seed', state.quizseed, '--number', state.quiz,
    ...(state.everywhere ? [] : ['--arch', state.arch]), ...more];

export const quizView = {
    name: 'quiz', title: 'Quiz',

    build(root, page) {
        const anew = changes => {
            correct = 0;
            answered = new Set();
            page.go({ quiz: '1', ...changes });
        };
        const judge = () => this.judge(page, $('mine').value.trim());
        root.append(
            element('div', { class: 'row' },
                element('label', {}, 'Level ', element('select', { id: 'level', onchange: e => anew({ level: e.target.value }) })),
                element('label', {}, 'About ', element('select', { id: 'everywhere', onchange: e => anew({ everywhere: e.target.value }) })),
                element('label', {}, 'Seed ', element('input', { id: 'quizseed', size: 6, inputmode: 'numeric', onchange: e => anew({ quizseed: e.target.value.trim() }) })),
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
                element('pre', { id: 'explained', tabindex: 0, 'aria-label': 'Explanation', hidden: true }),
                element('p', { id: 'follow' })));
        options($('level'), LEVELS);
        correct = 0;
        answered = new Set();
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
        $('explained').hidden = false;
        $('follow').replaceChildren(element('code', {}, answer.command), ' ',
            element('a', { href: '#', onclick: event => (event.preventDefault(), page.go({ view: 'layout', arch: answer.arch, insn: answer.instruction })) }, 'Look at the instruction'));
    },

    show(page) {
        $('level').value = state.level;
        options($('everywhere'), [['', state.arch], ['1', 'every GPU']], state.everywhere);
        $('quizseed').value = state.quizseed;
        const question = page.library.ask(quizWords([]));
        this.question = question.questions?.[0];
        this.verdict = null;
        $('quiz-problem').replaceChildren(question.error ? complaint(question) : '');
        $('quiz-answer').hidden = Boolean(question.error);
        if (question.error) return;
        $('quiz-number').textContent = `Question ${state.quiz}`;
        $('question').textContent = this.question.question;
        $('form').textContent = `Form of the answer: ${this.question.form}`;
        $('score').textContent = answered.size ? `${correct} of ${answered.size} right` : '';
        $('mine').value = $('judged').textContent = $('explained').textContent = '';
        $('explained').hidden = true;
        $('follow').replaceChildren();
        $('another').disabled = Number(state.quiz) >= 100;
    },
};
