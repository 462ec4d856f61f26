// SPDX-License-Identifier: MIT
// An operand's layout as a picture that can be pointed at, walked through with the arrow keys, read aloud and saved.
import { element, save } from './dom.js';
import { MANY, draw, holdsText, hue, svg } from './scene.js';

export const elementName = (layout, entry) =>
    `${layout.operand}${layout.blocks > 1 ? `[block ${entry.block}]` : ''}` +
    `[${layout.x.name}=${entry.x}][${layout.y.name}=${entry.y}]`;

export const bitsName = entry => entry.msb === entry.lsb ? `bit ${entry.lsb}` : `bits ${entry.msb}:${entry.lsb}`;

// tcgen05: tensor memory has columns instead of registers.
export const perLane = layout => layout.columns ? { count: layout.columns, name: 'column', letter: 'c' }
    : { count: layout.registers, name: 'register', letter: 'r' };

export const placeName = layout => entry => `lane ${entry.lane}, ${perLane(layout).name} ${entry.reg}, ${bitsName(entry)}`;

// Entries by element, kept with the answer.
function byElement(layout) {
    if (!layout.index) {
        const rows = layout.x.count, cols = layout.y.count;
        layout.index = new Array(layout.blocks * rows * cols);
        for (const entry of layout.entries) {
            const at = (entry.block * rows + entry.x) * cols + entry.y, known = layout.index[at];
            if (known) known.push(entry);
            else layout.index[at] = [entry];
        }
    }
    return layout.index;
}

export function placesOf(layout, block, x, y) {
    const inside = [block, x, y].every(n => Number.isInteger(n) && n >= 0) && block < layout.blocks && x < layout.x.count &&
        y < layout.y.count;
    return inside && byElement(layout)[(block * layout.x.count + x) * layout.y.count + y] || [];
}

export const heldBy = (layout, lane) => layout.entries.filter(entry => entry.lane === lane);

// The colours of a layout's entries: a function of the entry. Each is asked for once, as thousands of cells share it.
function coloursOf(layout, by) {
    const [part, count] = by === 'lane' ? ['lane', layout.wave] : by === 'block' ? ['block', layout.blocks]
        : ['reg', perLane(layout).count];
    const known = [];
    return entry => known[entry[part]] ??= hue(entry[part], count);
}

// The size of a cell that lets `across` of them fit in `room`.
const cellSize = (across, room) => Math.max(9, Math.min(46, Math.floor(room / across)));

// Axis labels: every one where there is room, else every 4th, 8th and so on.
function axis(count, size) {
    let step = 1;
    while (step * size < 22) step *= 2;
    return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
}

const EDGE = 34, TOP = 30, NO_LINES = [];

// Where the blocks of a matrix lie, and how large their cells are.
function placeBlocks(layout, room) {
    const rows = layout.x.count, cols = layout.y.count;
    const beside = layout.blocks > 1 ? Math.max(1, Math.min(layout.blocks, Math.floor(room / (cols * 30 + EDGE)) || 1)) : 1;
    const size = cellSize(cols, (room - 4) / beside - EDGE - 6), tall = Math.max(size > 20 ? 24 : 9, Math.round(size * 0.72));
    const wide = cols * size + EDGE + 6, high = rows * tall + TOP + 4;
    return {
        size, tall, width: Math.max(180, wide * beside), height: high * Math.ceil(layout.blocks / beside),
        corner: block => ({ left: block % beside * wide + EDGE, top: Math.floor(block / beside) * high + TOP }),
    };
}

function matrixLabels(layout, { size, tall, corner }) {
    const axes = `${layout.x.name} down, ${layout.y.name} across`, labels = [];
    for (let block = 0; block < layout.blocks; block++) {
        const { left, top } = corner(block);
        labels.push({ x: left - 4, y: top - 22, text: block ? `block ${block}` : layout.blocks > 1 ? `block 0: ${axes}` : axes, anchor: 'left' });
        for (const i of axis(layout.x.count, tall * 1.6)) labels.push({ x: left - 5, y: top + (i + 0.5) * tall, text: i, anchor: 'right', size: 10 });
        for (const j of axis(layout.y.count, size)) labels.push({ x: left + (j + 0.5) * size, y: top - 7, text: j, size: 10 });
    }
    return labels;
}

function matrixCells(layout, { size, tall, corner }, colour, style) {
    const colourOf = coloursOf(layout, colour), { letter } = perLane(layout), written = holdsText(tall, 2), cells = [];
    for (let block = 0; block < layout.blocks; block++) {
        const { left, top } = corner(block);
        for (let x = 0; x < layout.x.count; x++)
            for (let y = 0; y < layout.y.count; y++) {
                const copies = placesOf(layout, block, x, y), entry = copies[0];
                const cell = {
                    x: left + y * size, y: top + x * tall, w: size, h: tall, faint: false, at: [block, x, y], copies,
                    fill: entry ? colourOf(entry) : 'transparent',
                    lines: entry && written ? [`${entry.lane}${copies.length > 1 ? '+' : ''}`, `${letter}${entry.reg}`] : NO_LINES,
                };
                cells.push(style ? Object.assign(cell, style(cell)) : cell);
            }
    }
    return cells;
}

// The colours alone, straight from the entries.
function matrixTiles(layout, { size, tall, corner }, colour) {
    const colourOf = coloursOf(layout, colour), rows = layout.x.count, cols = layout.y.count;
    const tiles = Array.from({ length: layout.blocks }, (_, block) => {
        const { left, top } = corner(block);
        return { x: left, y: top, w: size, h: tall, rows, cols, fills: new Array(rows * cols) };
    });
    for (const entry of layout.entries) tiles[entry.block].fills[entry.x * cols + entry.y] ??= colourOf(entry);
    return tiles;
}

// style(cell) may add { fill, lines, faint, mark, wrong } to a cell { entry, copies }; null: to none.
export function matrixScene(layout, room, colour, style = null) {
    const places = placeBlocks(layout, room), { width, height } = places;
    const scene = { width, height, labels: matrixLabels(layout, places), stride: layout.y.count };
    const plain = !style && !holdsText(places.tall, 2) && layout.blocks * layout.x.count * layout.y.count > MANY;
    if (!plain) return { ...scene, cells: matrixCells(layout, places, colour, style) };
    let cells;
    return {
        ...scene, tiles: matrixTiles(layout, places, colour),
        get cells() {
            return cells ??= matrixCells(layout, places, colour, null);
        },
    };
}

// Lanes down, places of the lane's registers across.
export function lanesScene(layout, room, colour, style = null) {
    const held = new Map(), starts = new Map(), key = (lane, place) => lane * 65536 + place;
    for (const entry of layout.entries) {
        const place = entry.reg * 64 + entry.lsb, known = held.get(key(entry.lane, place));
        starts.set(place, entry);
        if (known) known.push(entry);
        else held.set(key(entry.lane, place), [entry]);
    }
    const places = [...starts.keys()].sort((a, b) => a - b);
    const size = Math.max(26, cellSize(places.length, room - EDGE - 10)), tall = 20, cells = [], labels = [];
    const colourOf = coloursOf(layout, colour);
    labels.push({ x: EDGE - 4, y: 8, text: `lane down, ${perLane(layout).name} and bits across`, anchor: 'left' });
    let last = -1;
    places.forEach((place, i) => {
        const entry = starts.get(place);
        if (entry.reg !== last) labels.push({ x: EDGE + i * size + 2, y: 22, text: `${perLane(layout).letter}${last = entry.reg}`, anchor: 'left', size: 10 });
    });
    for (let lane = 0; lane < layout.wave; lane++) {
        labels.push({ x: EDGE - 5, y: TOP + (lane + 0.5) * tall, text: lane, anchor: 'right', size: 10 });
        places.forEach((place, i) => {
            const here = held.get(key(lane, place)) ?? [], entry = here[0];
            const cell = {
                x: EDGE + i * size, y: TOP + lane * tall, w: size, h: tall, faint: false, copies: here, lane,
                at: entry ? [entry.block, entry.x, entry.y] : null, fill: entry ? colourOf(entry) : 'transparent',
                lines: entry ? [`${layout.blocks > 1 ? entry.block + ':' : ''}${entry.x},${entry.y}`] : [],
            };
            cells.push(style ? Object.assign(cell, style(cell)) : cell);
        });
    }
    return { width: Math.max(270, EDGE + places.length * size + 10), height: TOP + layout.wave * tall + 6, cells, labels,
        stride: places.length, edge: EDGE };
}

// A canvas with its picture. `point(cell, chosen)` is called when a cell is pointed at (chosen: clicked, or walked to).
export class Picture {
    constructor(name, point = () => {}) {
        this.name = name;
        this.point = point;
        this.at = 0; // where the keyboard is
        this.canvas = element('canvas', {
            tabindex: 0, role: 'application', 'aria-roledescription': 'grid', 'aria-label': name, 'aria-describedby': 'keys',
            onpointermove: event => this.#pointed(event, false), onclick: event => this.#pointed(event, true),
            onkeydown: event => this.#key(event),
        });
        this.root = element('figure', {}, element('div', { class: 'scroll' }, this.canvas),
            element('figcaption', {}, this.caption = element('span', {}, name), ' ',
                element('button', { class: 'quiet', title: 'Save this picture as SVG', onclick: () => this.saveSvg() }, 'SVG'),
                element('button', { class: 'quiet', title: 'Save this picture as PNG', onclick: () => this.savePng() }, 'PNG')));
    }

    show(scene, name = this.name) {
        this.scene = scene;
        this.name = name;
        this.caption.textContent = name;
        this.canvas.setAttribute('aria-label', `${name}. Arrow keys move from cell to cell.`);
        draw(this.canvas, scene);
    }

    cellAt(x, y) {
        return this.scene.cells.findIndex(cell => x >= cell.x && x < cell.x + cell.w && y >= cell.y && y < cell.y + cell.h);
    }

    // Labels at the left stand for the first cell of their row, where the scene says so.
    #pointed(event, chosen) {
        const index = this.scene ? this.cellAt(Math.max(event.offsetX, this.scene.edge ?? 0), event.offsetY) : -1;
        if (index < 0 || (!chosen && index === this.at)) return;
        this.at = index;
        this.point(this.scene.cells[index], chosen);
    }

    #key(event) {
        if (!this.scene || event.altKey || event.ctrlKey || event.metaKey) return; // those are the browser's
        const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.scene.stride, ArrowDown: this.scene.stride };
        const last = this.scene.cells.length - 1, now = Math.min(this.at, last);
        const to = event.key === 'Home' ? 0 : event.key === 'End' ? last : now + (steps[event.key] ?? NaN);
        if (Number.isNaN(to)) return;
        event.preventDefault();
        if (to < 0 || to > last) return;
        this.at = to;
        this.point(this.scene.cells[to], true); // which may show another scene
        draw(this.canvas, this.scene, this.scene.cells[this.at]);
        this.reveal();
    }

    // Scrolls the picture in its box so far that its cell `at` is seen.
    reveal() {
        const { x, y, w, h } = this.scene.cells[this.at], box = this.canvas.parentElement;
        if (x < box.scrollLeft || x + w > box.scrollLeft + box.clientWidth) box.scrollLeft = x + (w - box.clientWidth) / 2;
        if (y < box.scrollTop || y + h > box.scrollTop + box.clientHeight) box.scrollTop = y + (h - box.clientHeight) / 2;
    }

    #file(ending) {
        return this.name.replace(/[^\w.]+/g, '-') + ending;
    }

    saveSvg() {
        save(this.#file('.svg'), new Blob([svg(this.scene, this.name)], { type: 'image/svg+xml' }));
    }

    savePng() {
        this.canvas.toBlob(blob => save(this.#file('.png'), blob));
    }
}
