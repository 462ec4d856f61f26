# SPDX-License-Identifier: MIT
"""Pictures are fit to print: fills that stay apart as grey, text that can be read on them, captions, and LaTeX that compiles.

Lightness is L* of CIE 1976, contrast that of WCAG 2, both computed here from the colours in the pictures. Without pdflatex that
part is left out. Usage: pictures.py LANEWISE
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

PROGRAM = sys.argv[1]
CASES = [('v_mfma_f32_32x32x8_f16', 'gfx942', 'D'), ('v_mfma_f32_16x16x16_f16', 'gfx942', 'A'),
         ('v_mfma_f32_4x4x4_16b_f16', 'gfx942', 'D'), ('v_wmma_f32_16x16x16_f16', 'gfx1100', 'A'),
         ('v_smfmac_f32_16x16x32_f16', 'gfx942', 'index'), ('v_mfma_scale_f32_16x16x128_f8f6f4', 'gfx950', 'scale_a'),
         ('mma.m16n8k16.f32.f16.f16.f32', 'sm_80', 'B'), ('v_mfma_f64_16x16x4_f64', 'gfx942', 'D')]
bad = 0


def fail(*words):
    global bad
    bad += 1
    print('FAILED:', *words)


def layout(case, form):
    insn, arch, operand = case
    return subprocess.run([PROGRAM, 'layout', insn, '--arch', arch, '--operand', operand, '--format', form], check=True,
                          capture_output=True, text=True).stdout


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def lightness(colour):
    y = luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def check_fills(what, fills, texts):
    for i, fill in enumerate(fills):
        after = fills[(i + 1) % len(fills)]
        if len(fills) > 1 and abs(lightness(fill) - lightness(after)) < 9:
            fail(what, fill, 'and', after, 'are one grey')
        for text in texts:
            if contrast(fill, text) < 4.5:
                fail(what, text, 'cannot be read on', fill)
    first = sorted(map(lightness, fills[:8]))
    if any(b - a < 2 for a, b in zip(first, first[1:])):
        fail(what, 'two of the first eight are one grey', first)


def check_svg(case):
    text = layout(case, 'svg')
    root = ET.fromstring(text)
    style = text[text.index('<style>'):text.index('</style>')]
    colours = dict(re.findall(r'(text|\.[a-z])\{[^}]*?fill:#([0-9a-f]+)', style))
    colours = {rule: c if len(c) == 6 else ''.join(x + x for x in c) for rule, c in colours.items()}
    texts = [colours.get(rule, colours['text']) for rule in ('.l', '.r')]  # those that stand on cells
    if any(contrast('ffffff', c) < 7 for c in colours.values()):
        fail(case, 'texts on white', colours)
    if 'sans-serif' not in style:
        fail(case, 'style', style)
    name = '{http://www.w3.org/2000/svg}'
    legend = [r.get('fill')[1:] for r in root.iter(name + 'rect') if r.get('width') == '40' and r.get('height') == '18']
    cells = {r.get('fill')[1:] for r in root.iter(name + 'rect') if r.get('class') == 'c'} - {'ffffff'}
    if not cells <= set(legend):
        fail(case, 'fills without a legend', cells - set(legend))
    check_fills(case, legend, texts)
    words = ' '.join(''.join(t.itertext()) for t in root.iter(name + 'text'))
    if case[0] not in words or case[1] not in words or 'Evidence: ' not in words:
        fail(case, 'no caption')
    return len(legend)


def check_latex(case, folder):
    text = layout(case, 'latex')
    fills = [c.lower() for c in re.findall(r'\\definecolor\{lane\d\}\{HTML\}\{([0-9A-F]{6})\}', text)]
    if len(fills) != 8:
        fail(case, 'colours', fills)
    check_fills(case, fills, ['000000'])
    caption = re.search(r'text width=.*\{(.*)\};', text)[1]
    if case[0].replace('_', r'\_') not in caption or 'Evidence: ' not in caption:
        fail(case, 'caption', caption)
    if not shutil.which('pdflatex') or CASES.index(case) % 2 == 0:  # four are enough
        return False
    open(os.path.join(folder, 'x.tex'), 'w').write(text)
    p = subprocess.run(['pdflatex', '-interaction=nonstopmode', '-halt-on-error', 'x.tex'], cwd=folder, capture_output=True,
                       text=True, errors='replace')
    if p.returncode != 0 or '(1 page' not in p.stdout or 'Overfull' in p.stdout:
        fail(case, 'pdflatex', p.stdout[-600:])
    return True


def check_pages(folder):
    """More cells than pdflatex holds go to several pages, each with its labels; none is lost."""
    case = ('wgmma.m64n256k16.f32.f16.f16', 'sm_90', 'D')
    text = layout(case, 'latex')
    pages, seen = text.split('\\newpage'), set()
    for number, page in enumerate(pages):
        cells = set(re.findall(r'\\node\[draw,fill=lane\d\] at \((\d+),(\d+)\)', page))
        rows = sorted({int(x) for x, _ in cells})
        if len(cells) > 4096 or cells & seen or rows != list(range(16 * number, 16 * number + 16)):
            fail(case, 'page', number, len(cells), 'cells of rows', rows)
        if set(re.findall(r'\\node at \((\d+),-1\) \{\1\}', page)) != {str(x) for x in rows}:
            fail(case, 'the labels of rows on page', number)
        if len(re.findall(rf'\\node at \({rows[0] - 1},(\d+)\) \{{\1\}}', page)) != 256:
            fail(case, 'the labels of columns on page', number)
        seen |= cells
    if len(pages) != 4 or len(seen) != 64 * 256 or 'Evidence: ' not in pages[3]:
        fail(case, len(pages), 'pages', len(seen), 'cells')
    if os.environ.get('LW_FULL') and shutil.which('pdflatex'):
        open(os.path.join(folder, 'y.tex'), 'w').write(text)
        p = subprocess.run(['pdflatex', '-interaction=nonstopmode', '-halt-on-error', 'y.tex'], cwd=folder, capture_output=True,
                           text=True, errors='replace')
        if p.returncode != 0 or '(4 pages' not in p.stdout or 'Overfull' in p.stdout:
            fail(case, 'pdflatex', p.stdout[-600:])


with tempfile.TemporaryDirectory() as tmp:
    check_pages(tmp)
    most = max(check_svg(case) for case in CASES)
    compiled = sum(check_latex(case, tmp) for case in CASES)
if most != 16:
    fail('only', most, 'of 16 fills were seen')
print(len(CASES), 'pictures;', f'{compiled} compiled' if compiled else 'pdflatex is not installed: none compiled')
sys.exit(bad != 0)
