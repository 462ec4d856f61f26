#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pictures of the page in docs/explorer: screens.py PAGE_DIR [FOLDER] takes them all again; the test of the page compares.

Each names in a text chunk of its PNG the browser that took it. Of the same browser every pixel counts; another one has other fonts
and edges, so that only coarse squares of the pictures are compared."""
import base64
import os
import pathlib
import struct
import sys
import urllib.parse
import zlib

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE.parent.parent / "docs" / "explorer"
READY = "Boolean(window.lanewise) && !document.body.classList.contains('loading')"
MFMA, MMA, WGMMA = "v_mfma_f32_16x16x16_f16", "mma.m16n8k16.f32.f16.f16.f32", "wgmma.m64n256k16.f32.f16.f16"
START = {"arch": "gfx942", "insn": MFMA, "operand": "A", "colour": "register", "arrange": "matrix", "next": "", "nextarch": ""}
# name: (width, height, dark, state, what is done then)
SCREENS = {
    "layout": (1000, 660, False, {"view": "layout", "operand": "D", "cell": "0,3,5"}, ""),
    "large": (1000, 620, False, {"view": "layout", "arch": "sm_90", "insn": WGMMA, "operand": "D"}, ""),
    "element": (1000, 760, False, {"view": "element", "at": "3,5", "kind": "cancellation", "seed": "1"}, ""),
    "notations": (1000, 700, False, {"view": "notation", "format": "cute", "notation": "i = l%16, k = l/16 + 4*v"}, ""),
    "next": (1000, 600, True, {"view": "next", "into": "A"}, ""),
    "beside": (1000, 600, False, {"view": "next", "arch": "gfx1100", "insn": "v_wmma_f32_16x16x16_f16", "operand": "D", "into": "=", "nextarch": "gfx1201"}, ""),
    "banks": (1000, 640, False, {"view": "banks", "arch": "sm_80", "insn": MMA, "access": "b32", "shape": "16x64"}, ""),
    "quiz": (1000, 700, False, {"view": "quiz", "level": "1", "quizseed": "3", "quiz": "1"},
             "document.getElementById('mine').value = 'lane 38 register 10'; document.getElementById('judge').click()"),
    "narrow": (380, 900, False, {"view": "layout", "operand": "D", "cell": "0,3,5"}, "document.querySelector('#tabs').scrollIntoView()"),
}


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def take(page, base, name):
    """The picture as PNG, of a page that was opened with a link."""
    width, height, dark, state, then = SCREENS[name]
    page.size(width, height, dark)
    page.open(f"{base}/index.html?{name}#{urllib.parse.urlencode({**START, **state})}", READY)
    page.ask(f"(() => {{ {then} }})()")
    page.ask("(document.activeElement.blur(), new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))")
    return base64.b64decode(page.call("Page.captureScreenshot", format="png")["data"])


def small(page, data):
    """The same with a palette, and the browser's name."""
    rows = page.ask(f"""fetch('data:image/png;base64,{base64.b64encode(data).decode()}').then(r => r.blob()).then(createImageBitmap).then(image => {{
        const canvas = new OffscreenCanvas(image.width, image.height), ctx = canvas.getContext('2d');
        ctx.drawImage(image, 0, 0);
        const bytes = ctx.getImageData(0, 0, image.width, image.height).data;
        let text = '';
        for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
        return [image.width, image.height, btoa(text)];
    }})""")
    width, height, pixels = rows[0], rows[1], base64.b64decode(rows[2])
    counts = {}
    for at in range(0, len(pixels), 4):
        counts[pixels[at:at + 3]] = counts.get(pixels[at:at + 3], 0) + 1
    palette, nearest = [], {}
    for colour in sorted(counts, key=lambda c: (-counts[c], c)): # frequent ones; rare ones that are not near to one
        distances = [sum((a - b) ** 2 for a, b in zip(each, colour)) for each in palette]
        if not palette or (min(distances) > 5 ** 2 and len(palette) < 256):
            palette.append(colour)
            distances.append(0)
        nearest[colour] = distances.index(min(distances))
    lines = b"".join(b"\0" + bytes(nearest[pixels[(y * width + x) * 4:(y * width + x) * 4 + 3]] for x in range(width)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) + chunk(b"PLTE", b"".join(palette)) +
            chunk(b"tEXt", b"Software\0" + browser_name(page).encode()) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def browser_name(page):
    return page.ask("navigator.userAgent").split("AppleWebKit")[-1].split(" ")[-2]


def taken_by(data):
    at = data.find(b"tEXtSoftware\0")
    return data[at + 13:at + 4 + int.from_bytes(data[at - 4:at], "big")].decode() if at >= 4 else ""


# Of two pictures: how many parts of their colours differ clearly, and the largest difference of the means of squares of 20 pixels.
COMPARE = """Promise.all(URLS.map(url => fetch(url).then(r => r.blob()).then(createImageBitmap))).then(([a, b]) => {
    if (a.width !== b.width || a.height !== b.height) return [Infinity, 255];
    const bytes = (image, width, height) => {
        const ctx = new OffscreenCanvas(width, height).getContext('2d');
        ctx.imageSmoothingQuality = 'high';
        ctx.drawImage(image, 0, 0, width, height);
        return ctx.getImageData(0, 0, width, height).data;
    };
    const far = (x, y, least) => {
        let count = 0, worst = 0;
        for (let at = 0; at < x.length; at++) {
            const by = Math.abs(x[at] - y[at]);
            worst = Math.max(worst, by);
            count += by > least;
        }
        return [count, worst];
    };
    const [wide, high] = [Math.ceil(a.width / 20), Math.ceil(a.height / 20)];
    return [far(bytes(a, a.width, a.height), bytes(b, b.width, b.height), 40)[0], far(bytes(a, wide, high), bytes(b, wide, high), 0)[1]];
})"""


def compare(page, base, check):
    """The pictures in docs/explorer show what the page shows now, and each is on a page of docs."""
    text = (FOLDER.parent / "explorer.md").read_text()
    check(sorted(path.stem for path in FOLDER.glob("*.png")) == sorted(SCREENS), "docs/explorer has other pictures than tests/explorer/screens.py")
    for name in SCREENS:
        check(f"(explorer/{name}.png)" in text, f"docs/explorer.md does not show {name}.png")
        path = FOLDER / f"{name}.png"
        data = path.read_bytes() if path.exists() else b""
        urls = [f"data:image/png;base64,{base64.b64encode(each).decode()}" for each in (data, take(page, base, name))]
        parts, square = page.ask(COMPARE.replace("URLS", repr(urls))) if data else (-1, 255)
        same = taken_by(data) == browser_name(page)
        check(0 <= parts <= 20 if same else square < 96, f"docs/explorer/{name}.png is old ({parts} parts of pixels, squares by {square}): tests/explorer/screens.py PAGE_DIR")


def main():
    sys.path.insert(0, str(HERE))
    import browser
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else FOLDER
    os.makedirs(folder, exist_ok=True)
    page = browser.Browser()
    try:
        page.size(1000, 700, False)
        base = browser.serve(sys.argv[1])
        for name in SCREENS:
            (folder / f"{name}.png").write_bytes(small(page, take(page, base, name)))
            print(folder / f"{name}.png")
    finally:
        page.close()


if __name__ == "__main__":
    main()
