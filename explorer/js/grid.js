// SPDX-License-Identifier: MIT
// An operand's layout as a picture that can be pointed at, walked through with the arrow keys, read aloud and saved.
import { element, save } from './dom.js';
import { draw, hue, svg } from './scene.js';

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

function colourOf(layout, entry, by) {
    if (by === 'lane') return hue(entry.lane, layout.wave);
    if (by === 'block') return hue(entry.block, layout.blocks);
    return hue(entry.reg, perLane(layout).count);
}

// The size of a cell that lets `across` of them fit in `room`.
const cellSize = (across, room) => Math.max(9, Math.min(46, Math.floor(room / across)));

// Axis labels: every one where there is room, else every 4th, 8th and so on.
function axis(count, size) {
    let step = 1;
    while (step * size < 22) step *= 2;
    return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
}

const EDGE = 34, TOP = 30;

// style(cell) may add { fill, lines, faint, mark, wrong } to a cell { entry, copies }.
export function matrixScene(layout, room, colour, style = () => ({})) {
    const rows = layout.x.count, cols = layout.y.count;
    const beside = layout.blocks > 1 ? Math.max(1, Math.min(layout.blocks, Math.floor(room / (cols * 30 + EDGE)) || 1)) : 1;
    const size = cellSize(cols, (room - 4) / beside - EDGE - 6), tall = Math.max(size > 20 ? 24 : 9, Math.round(size * 0.72));
    const wide = cols * size + EDGE + 6, high = rows * tall + TOP + 4, cells = [], labels = [];
    for (let block = 0; block < layout.blocks; block++) {
        const left = block % beside * wide + EDGE, top = Math.floor(block / beside) * high + TOP;
        const axes = `${layout.x.name} down, ${layout.y.name} across`;
        labels.push({ x: left - 4, y: top - 22, text: block ? `block ${block}` : layout.blocks > 1 ? `block 0: ${axes}` : axes, anchor: 'left' });
        for (const i of axis(rows, tall * 1.6)) labels.push({ x: left - 5, y: top + (i + 0.5) * tall, text: i, anchor: 'right', size: 10 });
        for (const j of axis(cols, size)) labels.push({ x: left + (j + 0.5) * size, y: top - 7, text: j, size: 10 });
        for (let x = 0; x < rows; x++)
            for (let y = 0; y < cols; y++) {
                const copies = placesOf(layout, block, x, y), entry = copies[0];
                const cell = {
                    x: left + y * size, y: top + x * tall, w: size, h: tall, faint: false, at: [block, x, y], copies,
                    fill: entry ? colourOf(layout, entry, colour) : 'transparent',
                    lines: entry ? [`${entry.lane}${copies.length > 1 ? '+' : ''}`, `${perLane(layout).letter}${entry.reg}`] : [],
                };
                cells.push(Object.assign(cell, style(cell)));
            }
    }
    return { width: Math.max(180, wide * beside), height: high * Math.ceil(layout.blocks / beside), cells, labels, stride: cols };
}

// Lanes down, places of the lane's registers across.
export function lanesScene(layout, room, colour, style = () => ({})) {
    const held = new Map(), starts = new Map(), key = (lane, place) => lane * 65536 + place;
    for (const entry of layout.entries) {
        const place = entry.reg * 64 + entry.lsb, known = held.get(key(entry.lane, place));
        starts.set(place, entry);
        if (known) known.push(entry);
        else held.set(key(entry.lane, place), [entry]);
    }
    const places = [...starts.keys()].sort((a, b) => a - b);
    const size = Math.max(26, cellSize(places.length, room - EDGE - 10)), tall = 20, cells = [], labels = [];
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
                x: EDGE + i * size, y: TOP + lane * tall, w: size, h: tall, faint: false, copies: here,
                at: entry ? [entry.block, entry.x, entry.y] : null, fill: entry ? colourOf(layout, entry, colour) : 'transparent',
                lines: entry ? [`${layout.blocks > 1 ? entry.block + ':' : ''}${entry.x},${entry.y}`] : [],
            };
            cells.push(Object.assign(cell, style(cell)));
        });
    }
    return { width: Math.max(270, EDGE + places.length * size + 10), height: TOP + layout.wave * tall + 6, cells, labels, stride: places.length };
}

// A canvas with its picture. `point(cell, chosen)` is called when a cell is pointed at (chosen: clicked, or walked to).
export class Picture {
    constructor(name, point = () => {}) {
        this.name = name;
        this.point = point;
        this.at = 0;
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

    #pointed(event, chosen) {
        const index = this.scene ? this.cellAt(event.offsetX, event.offsetY) : -1;
        if (index < 0 || (!chosen && index === this.at)) return;
        this.at = index;
        this.point(this.scene.cells[index], chosen);
    }

    #key(event) {
        const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.scene.stride, ArrowDown: this.scene.stride };
        const last = this.scene.cells.length - 1;
        const to = event.key === 'Home' ? 0 : event.key === 'End' ? last : this.at + (steps[event.key] ?? NaN);
        if (Number.isNaN(to)) return;
        event.preventDefault();
        if (to < 0 || to > last) return;
        this.at = to;
        this.point(this.scene.cells[to], true);
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
