// SPDX-License-Identifier: MIT
// The page: what is chosen, which view shows it, and the address that holds both.
import { $, badge, complaint, element, modifierFields, options, table } from './dom.js';
import { Library } from './library.js';
import { address, change, instructionWords, readAddress, state } from './state.js';
import { banksView } from './banks.js';
import { elementView } from './element.js';
import { layoutView } from './layout.js';
import { nextView } from './next.js';
import { notationView } from './notation.js';
import { quizView } from './quiz.js';

const views = [layoutView, elementView, notationView, nextView, banksView, quizView];

async function wasm() {
    const inside = $('wasm');
    if (!inside) return (await fetch(new URL('lanewise.wasm', document.baseURI))).arrayBuffer();
    const packed = Uint8Array.from(atob(inside.textContent), c => c.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

const page = {
    library: null,
    width: undefined, // asked for again after the window's size has changed

    // The width for pictures: that of the panel without its padding.
    room: () => page.width ??= Math.max(280, $('views').clientWidth - 36),

    // Changes what is shown. `quiet`: the address of this entry is replaced, no new one is made.
    go(changes, { quiet = false } = {}) {
        const begin = performance.now();
        change(changes);
        history[quiet ? 'replaceState' : 'pushState'](null, '', address());
        render();
        page.took = performance.now() - begin;
    },
};

function fillInstructions() {
    const answer = page.library.ask(['list', '--arch', state.arch]);
    const words = $('search').value.toLowerCase().split(/[\s*]+/).filter(Boolean);
    const all = (answer.instructions ?? []).map(each => each.mnemonic);
    const fit = all.filter(name => words.every(word => name.toLowerCase().includes(word)));
    const shown = fit.length ? fit : all;
    options($('insn'), shown.includes(state.insn) ? shown.map(name => [name]) : [[state.insn], ...shown.map(name => [name])], state.insn);
    $('found').textContent = words.length ? (fit.length ? `${fit.length} of ${all.length}` : 'no name has that: Enter takes it as a full spelling') : `${all.length}`;
}

function fillModifiers(info) {
    modifierFields($('mods'), info.modifiers, state.mods, mods => page.go({ mods }));
    $('mods').parentElement.hidden = !$('mods').childElementCount;
    $('mods-help').textContent = info.modifier_help ?? '';
    $('wave').value = state.wave;
}

// The keyboard stays where it was.
function fillOperands(info) {
    const here = document.activeElement?.name === 'operand';
    $('operands').replaceChildren(...info.operands.map(({ operand, format }) => element('label', { class: 'choice' },
        element('input', { type: 'radio', name: 'operand', value: operand, checked: operand === state.operand, onchange: () => page.go({ operand }) }),
        element('span', {}, operand, ' ', element('small', {}, format)))));
    if (here) $('operands').querySelector(':checked')?.focus();
}

function fillEvidence(info) {
    $('evidence').replaceChildren(
        element('h2', {}, 'What the answers rest on'),
        element('p', {}, element('code', {}, info.spelling ?? info.mnemonic), ` ${info.m} x ${info.n} x ${info.k}` +
            (info.blocks > 1 ? `, ${info.blocks} blocks` : '')),
        info.rule ? element('p', {}, element('strong', {}, `${info.recipe}. `), info.rule) : '',
        info.evidence ? table(['aspect of the numbers', 'label', 'source'], info.evidence.map(each => [each.aspect, badge(each.label), each.source])) : '',
        info.readings?.length ? element('details', {}, element('summary', {}, 'What sources leave open'),
            table(['reading', 'label', 'what it says'], info.readings.map(each =>
                [`${each.topic}:${each.name}${each.default ? ' (used)' : ''}`, badge(each.label), each.text]))) : '');
}

function render() {
    const info = page.library.ask(['info', ...instructionWords()]);
    $('arch').value = state.arch;
    if ($('insn').value !== state.insn || $('insn').dataset.arch !== state.arch) fillInstructions();
    $('insn').dataset.arch = state.arch;
    document.title = `${state.insn}, ${state.arch}: Lanewise`;
    for (const tab of $('tabs').children) {
        const chosen = tab.dataset.view === state.view;
        tab.setAttribute('aria-selected', chosen);
        tab.tabIndex = chosen ? 0 : -1;
        $(`view-${tab.dataset.view}`).hidden = !chosen;
    }
    $('problem').replaceChildren(info.error ? complaint(info) : '');
    $('views').hidden = $('evidence').hidden = Boolean(info.error);
    if (info.error) {
        if (!state.mods && !state.wave) $('operands').replaceChildren();
        return;
    }
    if (!info.operands.some(each => each.operand === state.operand)) state.operand = info.operands[0].operand;
    fillModifiers(info);
    fillOperands(info);
    fillEvidence(info);
    (views.find(view => view.name === state.view) ?? views[0]).show(page, info);
}

function buildTabs() {
    for (const view of views) {
        $('tabs').append(element('button', {
            role: 'tab', id: `tab-${view.name}`, 'data-view': view.name, 'aria-controls': `view-${view.name}`,
            onclick: () => page.go({ view: view.name }),
        }, view.title));
        const panel = element('section', { role: 'tabpanel', id: `view-${view.name}`, 'aria-labelledby': `tab-${view.name}` });
        $('views').append(panel);
        view.build(panel, page);
    }
    $('tabs').addEventListener('keydown', event => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], now = views.findIndex(view => view.name === state.view);
        if (!step) return;
        page.go({ view: views[(now + step + views.length) % views.length].name });
        $(`tab-${state.view}`).focus();
    });
}

// The address may name a view of a later version.
function readPlace() {
    readAddress(location.hash);
    if (!views.some(view => view.name === state.view)) state.view = views[0].name;
}

function connect() {
    $('arch').addEventListener('change', event => {
        const arch = event.target.value, names = page.library.ask(['list', '--arch', arch]).instructions.map(each => each.mnemonic);
        $('search').value = '';
        page.go({ arch, insn: names.includes(state.insn) ? state.insn : names[0] });
    });
    $('search').addEventListener('input', fillInstructions);
    $('search').addEventListener('keydown', event => {
        if (event.key !== 'Enter') return;
        const typed = $('search').value.trim(), shown = [...$('insn').options].map(each => each.value);
        const first = shown.find(name => typed.toLowerCase().split(/[\s*]+/).every(word => name.toLowerCase().includes(word)));
        page.go({ insn: first ?? typed });
    });
    $('insn').addEventListener('change', event => page.go({ insn: event.target.value }));
    $('wave').addEventListener('change', event => page.go({ wave: event.target.value }));
    $('theme').addEventListener('change', event => {
        document.documentElement.dataset.theme = event.target.value;
        render();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', render);
    addEventListener('popstate', () => (readPlace(), render()));
    addEventListener('hashchange', () => (readPlace(), render()));
    // Only the width matters; a keyboard on the screen changes the height.
    let wait, width = innerWidth;
    const resized = () => {
        if (innerWidth === width) return;
        width = innerWidth;
        page.width = undefined;
        render();
    };
    addEventListener('resize', () => (clearTimeout(wait), wait = setTimeout(resized, 100)));
}

async function begin() {
    page.library = await Library.open(wasm());
    window.lanewise = { library: page.library, state, page, views }; // for the console, and the tests
    $('version').textContent = page.library.version;
    options($('arch'), page.library.ask(['list']).archs.map(each => [each.arch, `${each.arch}: ${each.name}`]));
    buildTabs();
    readPlace();
    connect();
    render();
    document.body.classList.remove('loading');
    performance.mark('first-answer');
}

begin().catch(error => $('problem').replaceChildren(complaint({ error: `The page could not start: ${error.message}` })));
