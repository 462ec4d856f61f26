// SPDX-License-Identifier: MIT
// The view "Layout": one operand as a grid; a cell's place, a lane's contents.
import { $, badge, complaint, element, options, table } from './dom.js';
import { Picture, bitsName, elementName, heldBy, lanesScene, matrixScene, perLane, placeName, placesOf } from './grid.js';
import { instructionWords, state } from './state.js';

let picture, listed;

export const layoutOf = (library, operand, words = instructionWords()) =>
    library.ask(['layout', ...words, '--operand', operand]);

// What the page says of an element: its place, and of its copies.
export function sentence(layout, at) {
    const places = placesOf(layout, ...at), entry = { block: at[0], x: at[1], y: at[2] };
    const inside = at.every(n => Number.isInteger(n) && n >= 0) && at[0] < layout.blocks && at[1] < layout.x.count && at[2] < layout.y.count;
    if (!inside)
        return `${layout.operand} has ${layout.x.name} from 0 to ${layout.x.count - 1} and ${layout.y.name} from 0 to ${layout.y.count - 1}` +
            `${layout.blocks > 1 ? `, in blocks 0 to ${layout.blocks - 1}` : ''}: say them as 3,5.`;
    if (!places.length) return `${elementName(layout, entry)} has no place of its own.`;
    const name = elementName(layout, entry);
    return places.length === 1 ? `${name}: ${placeName(layout)(places[0])}.`
        : `${name} has ${places.length} copies: ${places.slice(0, 8).map(placeName(layout)).join('; ')}${places.length > 8 ? '; ..' : ''}.`;
}

// "0,3,5" as numbers; what is no number of decimal digits becomes NaN.
export const numbersOf = text => text.split(',').map(word => /^\s*\d+\s*$/.test(word) ? Number(word) : NaN);

// A cell of the address: block, x, y.
function cellOf(text) {
    const numbers = numbersOf(text);
    return numbers.length === 3 ? numbers : [NaN, NaN, NaN];
}

// The lane that is asked for; null: none, or not one of the layout's.
const laneOf = layout => {
    const [lane, ...more] = numbersOf(state.lane);
    return lane < layout.wave && !more.length ? lane : null;
};

// Everything that a lane holds: a row for each register, a column for each operand.
function laneTable(library, info, lane) {
    const held = info.operands.map(({ operand }) => {
        const layout = layoutOf(library, operand);
        return layout.error ? null : { layout, entries: heldBy(layout, lane) };
    });
    const shown = held.filter(Boolean);
    const registers = Math.max(...shown.map(({ layout }) => perLane(layout).count));
    const { name, letter } = perLane(shown[0].layout), rows = [];
    for (let reg = 0; reg < registers; reg++)
        rows.push([`${letter}${reg}`, ...shown.map(({ layout, entries }) => element('div', {}, ...entries
            .filter(entry => entry.reg <= reg && reg * 32 <= entry.reg * 32 + entry.msb)
            .map(entry => element('div', { class: 'held' },
                `${bitsName(entry)}  ${elementName(layout, entry).slice(layout.operand.length)}`))))]);
    return table([name, ...shown.map(({ layout }) => `${layout.operand} (${layout.format})`)], rows,
        `Lane ${lane}: all that it holds, in every operand`);
}

function tell(library, info, layout, at, lane, chosen) {
    $('cell').textContent = at ? sentence(layout, at) : 'This place holds no element.';
    if (!chosen) return;
    $('lane').replaceChildren(lane === '' ? '' : laneTable(library, info, lane));
}

function evidence(layout) {
    return element('div', {},
        element('p', {}, 'Layout: ', badge(layout.evidence), ' ', layout.note),
        layout.open ? element('p', { class: 'open' }, element('strong', {}, 'Open: '), layout.open) : null);
}

const COLOURS = ['register', 'lane', 'block'], ARRANGEMENTS = [['matrix', 'the matrix'], ['lanes', 'lanes by registers']];

// What is said where nothing is pointed at.
function overview(layout, lane) {
    if (lane != null) return `Lane ${lane} holds ${heldBy(layout, lane).length} elements of ${layout.operand}.`;
    if (state.lane !== '') return `There is no lane ${state.lane}: lanes are 0 to ${layout.wave - 1}.`;
    const { count, name } = perLane(layout);
    return `${layout.x.count} x ${layout.y.count} elements of ${layout.format}${layout.blocks > 1 ? ` in ${layout.blocks} blocks` : ''}, ` +
        `${layout.wave} lanes, ${count} ${name}${count > 1 ? 's' : ''} each. Point at a cell; click to see all that its lane holds.`;
}

// The text of a cell that stands for it in the table which screen readers can walk through.
const cellText = copies => copies.map(entry => `lane ${entry.lane} r${entry.reg} ${entry.msb}:${entry.lsb}`).join(', ') || 'none';

function fillList(layout) {
    const rows = [];
    for (let block = 0; block < layout.blocks; block++)
        for (let x = 0; x < layout.x.count; x++)
            rows.push([`${layout.blocks > 1 ? `block ${block}, ` : ''}${layout.x.name}=${x}`,
                ...Array.from({ length: layout.y.count }, (_, y) => cellText(placesOf(layout, block, x, y)))]);
    listed.replaceChildren(element('summary', {}, 'The same as a table'),
        table([`${layout.x.name} \\ ${layout.y.name}`, ...Array.from({ length: layout.y.count }, (_, y) => y)], rows, layout.operand));
}

export const layoutView = {
    name: 'layout', title: 'Layout',

    build(root, page) {
        picture = new Picture('layout', (cell, chosen) => this.point(page, cell, chosen));
        listed = element('details', { ontoggle: () => listed.open && this.layout && fillList(this.layout) },
            element('summary', {}, 'The same as a table'));
        root.append(
            element('div', { class: 'row' },
                element('label', {}, 'Colour by ', element('select', { id: 'colour', onchange: e => page.go({ colour: e.target.value }) })),
                element('label', {}, 'Arranged as ', element('select', { id: 'arrange', onchange: e => page.go({ arrange: e.target.value }) })),
                element('label', {}, 'Element ', element('input', { id: 'seek', size: 7, placeholder: '3,5', onchange: e => this.seek(page, e.target.value) })),
                element('label', {}, 'Lane ', element('input', { id: 'whose', size: 4, inputmode: 'numeric', onchange: e => page.go({ lane: e.target.value.trim(), cell: '' }) }))),
            element('p', { id: 'cell', class: 'answer', role: 'status', 'aria-live': 'polite' }),
            picture.root, listed, element('div', { id: 'lane', class: 'scroll' }), element('div', { id: 'layout-evidence' }));
        options($('colour'), COLOURS.map(each => [each]));
        options($('arrange'), ARRANGEMENTS);
    },

    // "3,5" or "block,3,5"
    seek(page, text) {
        const numbers = text.trim() ? numbersOf(text) : [];
        page.go({ cell: (numbers.length === 2 ? [0, ...numbers] : numbers).join(','), lane: '' });
    },

    point(page, cell, chosen) {
        const lane = cell.copies[0]?.lane ?? cell.lane ?? '';
        if (chosen) page.go({ cell: cell.at ? cell.at.join(',') : '', lane: String(lane) }, { quiet: true });
        else tell(page.library, this.info, this.layout, cell.at, lane, false);
    },

    show(page, info) {
        const layout = layoutOf(page.library, state.operand);
        this.layout = layout.error ? null : layout;
        this.info = info;
        if (!COLOURS.includes(state.colour)) state.colour = COLOURS[0];
        if (!ARRANGEMENTS.some(([name]) => name === state.arrange)) state.arrange = ARRANGEMENTS[0][0];
        $('colour').value = state.colour;
        $('arrange').value = state.arrange;
        if (layout.error) {
            $('cell').replaceChildren(complaint(layout));
            picture.root.hidden = listed.hidden = true;
            $('lane').replaceChildren();
            $('layout-evidence').replaceChildren();
            return;
        }
        picture.root.hidden = listed.hidden = false;
        const at = state.cell ? cellOf(state.cell) : null, lane = laneOf(layout);
        const marked = at && placesOf(layout, ...at), make = state.arrange === 'lanes' ? lanesScene : matrixScene;
        const plain = !at && lane == null;
        const scene = make(layout, page.room(), state.colour, plain ? null : cell => ({
            mark: at ? Boolean(cell.at) && cell.at.join() === at.join() && (state.arrange !== 'lanes' || marked.some(e => cell.copies.includes(e)))
                : lane != null && cell.copies.some(entry => entry.lane === lane),
            faint: !at && lane != null && !cell.copies.some(entry => entry.lane === lane),
        }));
        this.scene = scene;
        picture.at = plain ? 0 : Math.max(0, scene.cells.findIndex(cell => cell.mark));
        picture.show(scene, `${state.insn} ${state.operand} on ${state.arch}`);
        if (!plain) picture.reveal();
        $('seek').value = !at ? '' : at.some(Number.isNaN) ? state.cell : (layout.blocks > 1 ? at : at.slice(1)).join(',');
        $('whose').value = state.lane;
        if (at) tell(page.library, info, layout, at, lane ?? marked[0]?.lane ?? '', true);
        else {
            $('cell').textContent = overview(layout, lane);
            $('lane').replaceChildren(lane == null ? '' : laneTable(page.library, info, lane));
        }
        $('layout-evidence').replaceChildren(evidence(layout));
        if (listed.open) fillList(layout);
    },
};
