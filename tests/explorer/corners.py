# SPDX-License-Identifier: MIT
"""Corners of the page: painted tiles at every ratio of pixels, the keyboard in pictures, two instructions side by side, pictures of
the quiz, inputs that are none, and the walk of a newcomer. Each function takes `tools`: page, go, text_of, check, program and PROGRAM of page.py."""
import re
import subprocess
import time
# A layout of three blocks in which places are missing, painted, and every pixel compared with the cell that it is in.
PAINTED = """import('./js/grid.js').then(async grid => {
    const scenes = await import('./js/scene.js'), ratio = devicePixelRatio;
    const layout = { operand: 'D', blocks: 3, wave: 64, registers: 40, x: { name: 'i', count: 48 }, y: { name: 'j', count: 64 }, entries: [] };
    for (let block = 0; block < 3; block++)
        for (let x = 0; x < 48; x++)
            for (let y = 0; y < 64; y++)
                if ((block * 7 + x * 3 + y * 5) % 11)
                    layout.entries.push({ block, x, y, lane: (x * 64 + y) % 64, reg: (block * 13 + x + y * 3) % 40, lsb: 0, msb: 31 });
    const scene = grid.matrixScene(layout, 600, 'register'), canvas = document.createElement('canvas');
    scenes.draw(canvas, scene);
    const wide = canvas.width, pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, wide, canvas.height).data.buffer);
    const one = document.createElement('canvas').getContext('2d', { willReadFrequently: true }), colours = new Map();
    const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim();
    const pixelOf = fill => {
        for (const colour of [paper, fill]) {
            one.fillStyle = colour;
            one.fillRect(0, 0, 1, 1);
        }
        return new Uint32Array(one.getImageData(0, 0, 1, 1).data.buffer)[0];
    };
    const line = Math.max(1, Math.round(ratio)), between = pixelOf('transparent');
    let count = 0, wrong = 0, empty = 0;
    for (const { x, y, w, h, fill } of scene.cells) {
        const right = Math.round((x + w) * ratio), bottom = Math.round((y + h) * ratio);
        empty += fill === 'transparent';
        if (!colours.has(fill)) colours.set(fill, pixelOf(fill));
        for (let v = Math.round(y * ratio); v < bottom; v++)
            for (let u = Math.round(x * ratio); u < right; u++, count++)
                wrong += pixels[v * wide + u] !== (u >= right - line || v >= bottom - line ? between : colours.get(fill));
    }
    return { tiles: scene.tiles?.length, count, wrong, empty };
})"""


def try_ratios(tools):
    for ratio, dark in ((0.9, False), (1.25, False), (1.5, True), (2, False)):
        tools.page.size(1280, 900, dark, ratio)
        told = tools.page.ask(PAINTED)
        tools.check(told["tiles"] == 3 and told["count"] > 500000 and told["wrong"] == 0 and told["empty"] == 838, f"tiles at {ratio}: {told}")
    tools.page.size(1280, 900, False)


def point(tools, selector, x, y):
    """A click at a place of a picture."""
    box = tools.page.ask(f"(e => {{ e.scrollIntoView({{ block: 'start' }}); const r = e.getBoundingClientRect(); return [r.x, r.y]; }})({selector})")
    tools.page.click(box[0] + x, box[1] + y)


def try_keyboard(tools):
    """Walks go on from what is shown, stay visible, and leave the browser its own keys."""
    page, go, text_of, check = tools.page, tools.go, tools.text_of, tools.check
    go(page, arch="gfx942", insn="v_mfma_f32_16x16x16_f16", view="element", operand="A", at="3,5")
    page.ask("[...document.querySelectorAll('#pictures canvas')][2].focus()")
    page.key("ArrowRight")
    check(page.ask("lanewise.state.at") == "3,6", f"D is walked from D[3][5]: {page.ask('lanewise.state.at')}")
    go(page, arch="sm_90", insn="wgmma.m64n256k16.f32.f16.f16", view="next", into="A", next="")
    page.ask("document.querySelectorAll('#view-next canvas')[0].focus()")
    page.key("End")
    go(page, next="wgmma.m64n64k16.f32.f16.f16")
    go(page, arch="gfx942", insn="v_mfma_f32_16x16x16_f16", into="B", cell="")
    check(page.ask("lanewise.state.next") == "", "another GPU has other instructions")
    page.ask("document.querySelectorAll('#view-next canvas')[0].focus()")
    page.key("ArrowUp")
    check("lane 63, register 2" in text_of(page, "moved")[0], f"after a larger picture: {text_of(page, 'moved')}")
    page.ask("document.querySelector('#view-next canvas').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', altKey: true, bubbles: true, cancelable: true }))")
    check("lane 63, register 2" in text_of(page, "moved")[0], "Alt and an arrow are the browser's")
    seen = """(box => { const c = lanewise.views[0].scene.cells.find(cell => cell.mark);
        return c.x >= box.scrollLeft && c.x + c.w <= box.scrollLeft + box.clientWidth && box.scrollLeft > 500; })(document.querySelector('#view-layout .scroll'))"""
    go(page, arch="sm_90", insn="wgmma.m64n256k16.f32.f16.f16", view="layout", operand="D", cell="0,60,250")
    check(page.ask(seen), "a link shows the cell that it names")
    page.ask("document.querySelector('#view-layout canvas').focus()")
    page.key("ArrowLeft")
    check(text_of(page, "cell")[0].startswith("D[i=60][j=249]") and page.ask(seen), f"walked from a link: {text_of(page, 'cell')}")
    go(page, arch="gfx942", insn="v_mfma_f32_16x16x16_f16", view="layout", operand="B", arrange="lanes", cell="", lane="")
    point(tools, "document.querySelector('#view-layout canvas')", 12, 30 + 20 * 3 + 10)
    check(page.ask("lanewise.state.lane") == "3" and "Lane 3: all" in text_of(page, "lane")[0], "a lane is chosen at its number")
    go(page, arrange="matrix")


def try_odd(tools):
    """What is no element, no lane, no way of showing is refused in a sentence, or the usual is shown."""
    page, go, text_of, check = tools.page, tools.go, tools.text_of, tools.check
    go(page, arch="gfx942", insn="v_mfma_f32_16x16x16_f16", view="layout", operand="A", cell="", lane="")
    for changes, words in (({"lane": "99"}, "no lane 99: lanes are 0 to 63"), ({"lane": "-1"}, "no lane -1"), ({"lane": "x"}, "no lane x"),
                           ({"lane": "", "cell": "0,3,5,7"}, "i from 0 to 15"), ({"cell": ",,"}, "i from 0 to 15"), ({"cell": "0,1e1,2"}, "i from 0 to 15"),
                           ({"cell": "0,15,15"}, "lane 63"), ({"cell": "", "colour": "red", "arrange": "circle"}, "16 x 16 elements")):
        go(page, **changes)
        check(words in text_of(page, "cell")[0], f"{changes}: {text_of(page, 'cell')}")
    check(page.ask("[lanewise.state.colour, lanewise.state.arrange]") == ["register", "matrix"], "colour and arrangement that do not exist")
    for at in ("a,b", "-3,5", "16,0", "3", "3,5,1", "1,2,0,0", "3,5x"):
        go(page, view="element", at=at)
        check(text_of(page, "element-problem")[0].startswith(f"{at}: rows are 0 to 15"), f"element {at}: {text_of(page, 'element-problem')}")
    go(page, at="")
    check(page.ask("document.getElementById('at').value") == "3,5" and not text_of(page, "element-problem")[0], "no element is given")
    go(page, arch="gfx942", insn="v_mfma_f64_16x16x4_f64", view="element", kind="random")
    made, codes = page.ask("lanewise.views[1].last.made"), page.ask("[...document.querySelectorAll('#products code')].map(e => e.textContent)")
    check(codes == [each["code"] for pair in zip(made["row"], made["column"]) for each in pair] and len(codes[0]) == 18, f"codes of f64: {codes}")
    for arch, insn, operand, bits in (("gfx942", "v_mfma_f32_16x16x16_f16", "A", 64), ("gfx942", "v_mfma_f32_16x16x16_f16", "D", 128),
                                      ("sm_80", "mma.m16n8k16.f32.f16.f16.f32", "D", 64)):
        go(page, arch=arch, insn=insn, view="banks", operand=operand, access="")
        answer = tools.program("layout", insn, "--arch", arch, "--operand", operand, "--banks", f"b{bits}")
        wider = tools.program("layout", insn, "--arch", arch, "--operand", operand, "--banks", "b128") if bits < 128 else {"error": ""}
        check(page.ask("lanewise.views[4].answer") == answer and "error" in wider, f"{arch} {insn} {operand}: the widest read")


def try_beside(tools):
    """An operand of two instructions side by side: the verdict is the program's, an element is marked and told in both."""
    page, go, text_of, check, program = tools.page, tools.go, tools.text_of, tools.check, tools.program
    name = "v_wmma_f32_16x16x16_f16"
    go(page, arch="gfx1100", insn=name, view="next", into="=", operand="D", nextarch="gfx1201", next="")
    for picture in (0, 1):
        point(tools, f"document.querySelectorAll('#view-next canvas')[{picture}]", 34 + 5 * 20 + 10, 30 + 3 * 15 + 8)
        said = text_of(page, "moved")[0]
        at = [int(said.split("[i=")[1].split("]")[0]), int(said.split("[j=")[1].split("]")[0])]
        for arch in ("gfx1100", "gfx1201"):
            entry = next(e for e in program("layout", name, "--arch", arch, "--operand", "D")["entries"] if [e["x"], e["y"]] == at)
            check(f"({arch}): D[i={at[0]}][j={at[1]}]: lane {entry['lane']}, register {entry['reg']}, bits 31:0." in said, f"side by side: {said}")
    check(text_of(page, "exchange")[0] == "different: 32 of 256 places agree", f"side by side: {text_of(page, 'exchange')}")
    go(page, nextarch="", next="v_wmma_f32_16x16x16_bf16")
    check(text_of(page, "exchange")[0].startswith("equal: all 256 places"), f"side by side: {text_of(page, 'exchange')}")
    go(page, next="", nextarch="gfx942")
    check("gfx942 has no v_wmma" in text_of(page, "next-problem")[0], f"side by side: {text_of(page, 'next-problem')}")
    go(page, next="v_mfma_f32_16x16x16_f16")
    href = page.ask("location.hash")
    go(page, into="B", nextarch="", next="")
    check("Lanes must exchange" in text_of(page, "exchange")[0] or "No lanes exchange" in text_of(page, "exchange")[0], "back to an exchange")
    check("nextarch=gfx942" in href and "into=%3D" in href, f"the link has both: {href}")


def try_quiz_pictures(tools):
    """A picture goes with each explanation, its link leads to the place in question, and another size of the window keeps the answer."""
    page, go, text_of, check = tools.page, tools.go, tools.text_of, tools.check
    kinds = {}
    for level in "123":
        for number in range(1, 8):
            go(page, arch="gfx942", insn="v_mfma_f32_16x16x16_f16", view="quiz", level=level, quizseed="3", quiz=str(number), everywhere="")
            check(page.ask("[...document.querySelectorAll('#quiz-pictures figure')].every(each => each.hidden)"), "pictures before the answer")
            page.ask("document.getElementById('mine').value = '{{{'; document.getElementById('judge').click(); document.getElementById('reveal').click()")
            told = page.ask("lanewise.views[5].verdict")
            marks = """[...document.querySelectorAll('#quiz-pictures figure')].filter(each => each.checkVisibility()).length"""
            want = {"turns": 2, "swizzle": 4, "bits": 3, "operands": len(told["answer"].split())}.get(told["kind"], 1)
            check(page.ask(marks) == want, f"quiz {level} {number}: {page.ask(marks)} pictures of {told['kind']}")
            page.ask("document.querySelector('#follow a').click()")
            about, state = told["about"], page.ask("({ ...lanewise.state })")
            check(not text_of(page, "problem")[0] and state["insn"] == told["instruction"], f"quiz {level} {number}: the link")
            if told["kind"] == "place":
                lane = told["answer"].split()[1]
                check(f"lane {lane}, register {told['answer'].split()[3]}" in text_of(page, "cell")[0], f"quiz {level} {number}: {text_of(page, 'cell')}")
            elif told["kind"] == "bits":
                check(f"({told['answer']})" in text_of(page, "result")[0], f"quiz {level} {number}: {text_of(page, 'result')}, {told['answer']}")
            elif told["kind"] in ("turns", "swizzle"):
                check(page.ask("lanewise.views[4].answer.rows") == about["rows"] and state["access"] == about["access"], f"quiz {level} {number}: the tile")
            else:
                check(state["operand"] == about["operand"], f"quiz {level} {number}: the operand")
            kinds[told["kind"]] = True
    for everywhere, words in ("", ["--arch", "gfx942"]), ("1", []):
        go(page, arch="gfx942", insn="v_mfma_f32_16x16x16_f16", view="quiz", level="2", quizseed="5", quiz="1", everywhere=everywhere)
        page.ask("document.getElementById('sheet').click()")
        sheet = subprocess.run([tools.PROGRAM, "quiz", "--level", "2", "--seed", "5", "--sheet", "--count", "10", *words], capture_output=True, text=True).stdout
        check(page.ask("lanewise.views[5].sheet") == sheet and sheet.count("\n## ") == 10, "the worksheet is the program's")
    check(len(kinds) == 7, f"kinds of questions: {list(kinds)}")
    go(page, arch="gfx950", insn="v_mfma_f32_16x16x32_f16", view="quiz", level="1", quizseed="3", quiz="1", everywhere="")
    page.ask("document.getElementById('reveal').click()")
    check(text_of(page, "score")[0] == "0 of 1 right", f"another GPU's questions are counted for themselves: {text_of(page, 'score')}")
    go(page, arch="gfx942", insn="v_mfma_f32_16x16x16_f16", view="quiz", level="1", quizseed="9", quiz="1")
    page.ask("document.getElementById('mine').value = 'lane 3'")
    page.size(900, 700, True)
    page.until("lanewise.page.width !== undefined && innerWidth === 900")
    page.ask("new Promise(done => setTimeout(done, 150))")
    check(page.ask("document.getElementById('mine').value") == "lane 3", "another size keeps what was typed")
    page.size(1280, 900, False)
    page.ask("new Promise(done => setTimeout(done, 150))")


def try_sums(tools, base, ready, docs):
    """The links in docs/learn/sums.md step through what `eval --explain` says of the page's arrays."""
    links = re.findall(r"^explorer\.html(#\S+)$", (docs / "learn" / "sums.md").read_text(), re.M)
    tools.check(len(links) == 5, f"{len(links)} links in docs/learn/sums.md")
    for row, link in enumerate(links):
        arrays = [word for name in "ab" for word in (f"--{name}", str(docs / "learn" / f"{name}.npy"))]
        told = tools.program("eval", "v_mfma_f32_16x16x16_f16", "--arch", "gfx942", *arrays, "--explain", f"{row},0")["explain"]
        tools.page.open(f"{base}/index.html?sum{row}{link}", ready)
        shown = []
        for group in range(max(step["group"] for step in told) + 1):
            tools.go(tools.page, group=str(group))
            shown += tools.text_of(tools.page, "steps")[0].split("\n")
        tools.check(shown == [step["text"] for step in told], f"row {row} of sums.md: {shown}")


def middle(page, expression):
    return page.ask(f"(e => {{ const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})({expression})")


def try_walk(tools, file, ready):
    """A newcomer opens the file from disk, clicks on D and points at row 3, column 5: what the page then says. Returns the seconds."""
    page, begin = tools.page, time.monotonic()
    page.size(1280, 900, False)
    page.open("about:blank", "true")
    page.open("file://" + file, ready)
    page.click(*middle(page, "[...document.querySelectorAll('#operands label')].find(each => each.textContent.startsWith('D'))"))
    box, cell = page.ask("""(c => { const r = c.getBoundingClientRect(); return [[r.x, r.y], lanewise.views[0].scene.cells[3 * 16 + 5]]; })(document.querySelector('#view-layout canvas'))""")
    x, y = box[0] + cell["x"] + cell["w"] / 2, box[1] + cell["y"] + cell["h"] / 2
    tools.check(y < 900, "the element is on the first screen")
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="none")
    said = tools.text_of(page, "cell")[0]
    tools.check(said == "D[i=3][j=5]: lane 5, register 3, bits 31:0.", f"who holds D[3][5]: {said}")
    page.click(x, y)
    tools.check(tools.text_of(page, "lane")[0].startswith("Lane 5: all that it holds, in every operand"), "what else its lane holds")
    return time.monotonic() - begin


def try_all(tools):
    for part in (try_ratios, try_keyboard, try_odd, try_beside, try_quiz_pictures):
        part(tools)
