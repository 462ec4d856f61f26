// SPDX-License-Identifier: MIT
// A picture as a list of cells and labels, drawn on a canvas or written as SVG.
//
// scene: { width, height, cells: [{ x, y, w, h, fill, lines: [text], faint, mark, wrong }], labels: [{ x, y, text, anchor }] }
// or, where thousands of plain cells lie in grids, { .., tiles: [{ x, y, w, h, rows, cols, fills }], cells }: the cells are
// those of the tiles, row by row, and are not touched until somebody points at one.

const FONT = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';

export const MANY = 4096; // cells

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Asked for every cell, so read once for each picture.
let dark;
export const isDark = () => dark ??= (queueMicrotask(() => (dark = undefined)), css('--dark') === '1');

// A colour for number n of count: distinct hues for few, a ramp for many; text on it is always the text colour. Kept, as
// many cells share it.
const hues = new Map();

export function hue(n, count) {
    const key = (count * 65536 + n) * 2 + isDark();
    if (!hues.has(key)) hues.set(key, newHue(n, count));
    return hues.get(key);
}

function newHue(n, count) {
    const few = [212, 28, 145, 340, 265, 55, 182, 0];
    const angle = count <= few.length ? few[n % few.length] : (n * 360 / count + 12) % 360;
    const step = count > 12 ? n % 3 : 0;
    return isDark() ? `hsl(${angle} 42% ${22 + 4 * step}%)` : `hsl(${angle} 68% ${84 - 6 * step}%)`;
}

const LEAST = 6.5; // the size of the smallest text

// Is a cell high enough for so many lines of text?
export const holdsText = (height, lines) => height / lines / 1.15 >= LEAST;

const sizeOfText = cell => Math.min(12, cell.w / Math.max(...cell.lines.map(line => line.length)) / 0.62,
    cell.h / cell.lines.length / 1.15);

// One path for each colour: there are many more cells than colours.
function fillCells(ctx, cells, alpha) {
    const paths = new Map();
    for (const cell of cells) {
        let path = paths.get(cell.fill);
        if (!path) paths.set(cell.fill, path = new Path2D());
        path.rect(cell.x + 0.5, cell.y + 0.5, cell.w - 1, cell.h - 1);
    }
    ctx.globalAlpha = alpha;
    for (const [fill, path] of paths) {
        ctx.fillStyle = fill;
        ctx.fill(path);
    }
    ctx.globalAlpha = 1;
}

// The pixel of a colour that covers a share of the paper. Its bytes are red, green, blue, alpha.
function pixelOf(ctx, colour, paper, share) {
    const channels = [colour, paper].map(each => ((ctx.fillStyle = each), parseInt(ctx.fillStyle.slice(1), 16)));
    const [r, g, b] = [16, 8, 0].map(shift => Math.round((channels[0] >> shift & 255) * share + (channels[1] >> shift & 255) * (1 - share)));
    return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}

// The cells of a tile with a pixel for each, and the cells at its edges once more around them.
function smallPicture(ctx, { cols, rows, fills }, paper) {
    const small = document.createElement('canvas'), known = new Map(), wide = cols + 2;
    [small.width, small.height] = [wide, rows + 2];
    const to = small.getContext('2d'), image = to.createImageData(wide, rows + 2), pixels = new Uint32Array(image.data.buffer);
    for (let at = 0; at < fills.length; at++) {
        const fill = fills[at];
        if (fill === undefined) continue;
        let pixel = known.get(fill);
        if (pixel === undefined) known.set(fill, pixel = pixelOf(ctx, fill, paper, 1));
        pixels[(Math.floor(at / cols) + 1) * wide + at % cols + 1] = pixel;
    }
    for (let i = 1; i <= rows; i++) {
        pixels[i * wide] = pixels[i * wide + 1];
        pixels[i * wide + cols + 1] = pixels[i * wide + cols];
    }
    pixels.copyWithin(0, wide, 2 * wide);
    pixels.copyWithin((rows + 1) * wide, rows * wide, (rows + 1) * wide);
    to.putImageData(image, 0, 0);
    return small;
}

// A grid of cells as such a picture, widened; then the lines between them. A pixel of the screen has the cell of its middle: the
// ends of cells are rounded in the same way (a little further left, so that no end is in the middle of a pixel), and what is
// around the tile is cut off, whatever the ratio.
function fillTile(ctx, tile, paper, ratio) {
    const { cols, rows, w, h } = tile, small = smallPicture(ctx, tile, paper);
    const across = j => Math.round((tile.x + j * w) * ratio), down = i => Math.round((tile.y + i * h) * ratio);
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.beginPath();
    ctx.rect(across(0), down(0), across(cols) - across(0), down(rows) - down(0));
    ctx.clip();
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(small, (tile.x - w) * ratio - 0.01, (tile.y - h) * ratio - 0.01, (cols + 2) * w * ratio, (rows + 2) * h * ratio);
    ctx.fillStyle = paper;
    const line = Math.max(1, Math.round(ratio));
    for (let j = 1; j <= cols; j++) ctx.fillRect(across(j) - line, down(0), line, down(rows) - down(0));
    for (let i = 1; i <= rows; i++) ctx.fillRect(across(0), down(i) - line, across(cols) - across(0), line);
    ctx.restore();
}

// Thousands of cells, which are small, as whole pixels: several times as fast as shapes.
function fillPixels(ctx, canvas, cells, paper, ratio) {
    const wide = canvas.width, image = ctx.createImageData(wide, canvas.height), pixels = new Uint32Array(image.data.buffer);
    const plain = new Map(), faint = new Map();
    pixels.fill(pixelOf(ctx, paper, paper, 1));
    for (const cell of cells) {
        if (cell.fill === 'transparent') continue;
        const known = cell.faint ? faint : plain;
        let colour = known.get(cell.fill);
        if (colour === undefined) known.set(cell.fill, colour = pixelOf(ctx, cell.fill, paper, cell.faint ? 0.25 : 1));
        const left = Math.round(cell.x * ratio), end = Math.round((cell.x + cell.w - 1) * ratio), bottom = Math.round((cell.y + cell.h - 1) * ratio);
        for (let y = Math.round(cell.y * ratio); y < bottom; y++)
            for (let at = y * wide + left; at < y * wide + end; at++) pixels[at] = colour;
    }
    ctx.putImageData(image, 0, 0);
}

function paint(ctx, canvas, scene, paper, ratio) {
    ctx.fillStyle = paper;
    ctx.fillRect(0, 0, scene.width, scene.height);
    if (scene.tiles) {
        for (const tile of scene.tiles) fillTile(ctx, tile, paper, ratio);
    } else if (scene.cells.length > MANY) {
        fillPixels(ctx, canvas, scene.cells, paper, ratio);
    } else {
        fillCells(ctx, scene.cells.filter(cell => cell.faint), 0.25);
        fillCells(ctx, scene.cells.filter(cell => !cell.faint), 1);
    }
}

// The cell where the keyboard is.
function drawCursor(ctx, { x, y, w, h }, colour) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = 2;
    ctx.setLineDash([4, 3]);
    ctx.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
    ctx.setLineDash([]);
}

export function draw(canvas, scene, cursor = null) {
    const ratio = window.devicePixelRatio || 1, ctx = canvas.getContext('2d');
    canvas.width = Math.round(scene.width * ratio);
    canvas.height = Math.round(scene.height * ratio);
    canvas.style.width = scene.width + 'px';
    canvas.style.height = scene.height + 'px';
    ctx.scale(ratio, ratio);
    const text = css('--text'), faint = css('--faint'), line = css('--paper'), strong = css('--accent'), wrong = css('--bad');
    const cells = scene.tiles ? [] : scene.cells;
    paint(ctx, canvas, scene, line, ratio);
    for (const cell of cells.filter(each => each.mark || each.wrong)) {
        ctx.strokeStyle = cell.wrong ? wrong : strong;
        ctx.lineWidth = Math.min(2.5, Math.max(1.5, cell.w / 8));
        ctx.strokeRect(cell.x + 1, cell.y + 1, cell.w - 2, cell.h - 2);
        if (!cell.wrong) continue;
        ctx.globalAlpha = 0.6; // the strike is under the text
        ctx.lineWidth = 1.2;
        ctx.beginPath();
        ctx.moveTo(cell.x + 2, cell.y + 2);
        ctx.lineTo(cell.x + cell.w - 2, cell.y + cell.h - 2);
        ctx.stroke();
        ctx.globalAlpha = 1;
    }
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    let font = 0;
    for (const cell of cells) {
        const size = cell.lines.length && holdsText(cell.h, cell.lines.length) ? sizeOfText(cell) : 0;
        if (size < LEAST) continue;
        if (size !== font) ctx.font = `${font = size}px ${FONT}`;
        ctx.fillStyle = cell.faint ? faint : text;
        cell.lines.forEach((part, i) => ctx.fillText(part, cell.x + cell.w / 2,
            cell.y + cell.h / 2 + (i - (cell.lines.length - 1) / 2) * size * 1.1));
    }
    ctx.fillStyle = faint;
    for (const label of scene.labels) {
        ctx.font = `${label.size ?? 11}px ${FONT}`;
        ctx.textAlign = label.anchor ?? 'center';
        ctx.fillText(label.text, label.x, label.y);
    }
    if (cursor) drawCursor(ctx, cursor, text);
}

const escaped = text => String(text).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const ANCHORS = { left: 'start', right: 'end', center: 'middle' };

export function svg(scene, title) {
    const text = css('--text'), faint = css('--faint'), strong = css('--accent'), wrong = css('--bad'), out = [];
    const put = (x, y, size, colour, anchor, what) => out.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ` +
        `font-size="${size.toFixed(1)}" fill="${colour}" text-anchor="${anchor}" dominant-baseline="central">${escaped(what)}</text>`);
    for (const cell of scene.cells) {
        const edge = cell.wrong ? ` stroke="${wrong}" stroke-width="2"` : cell.mark ? ` stroke="${strong}" stroke-width="2"` : '';
        out.push(`<rect x="${cell.x + 0.5}" y="${cell.y + 0.5}" width="${cell.w - 1}" height="${cell.h - 1}" ` +
            `fill="${cell.fill}"${cell.faint ? ' opacity="0.25"' : ''}${edge}/>`);
        if (cell.wrong) out.push(`<path d="M${cell.x + 2} ${cell.y + 2}L${cell.x + cell.w - 2} ${cell.y + cell.h - 2}" stroke="${wrong}" stroke-width="1.2" opacity="0.6"/>`);
        const size = cell.lines.length ? sizeOfText(cell) : 0;
        if (size >= LEAST)
            cell.lines.forEach((part, i) => put(cell.x + cell.w / 2,
                cell.y + cell.h / 2 + (i - (cell.lines.length - 1) / 2) * size * 1.1, size, cell.faint ? faint : text, 'middle', part));
    }
    for (const label of scene.labels) put(label.x, label.y, label.size ?? 11, faint, ANCHORS[label.anchor ?? 'center'], label.text);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${scene.width} ${scene.height}" width="${scene.width}" ` +
        `height="${scene.height}" font-family="${escaped(FONT)}"><title>${escaped(title)}</title>` +
        `<rect width="100%" height="100%" fill="${css('--paper')}"/>${out.join('\n')}</svg>\n`;
}
