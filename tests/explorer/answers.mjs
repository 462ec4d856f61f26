// SPDX-License-Identifier: MIT
// The same words to the page's library and to the program: what they print must be the same, byte for byte.
// Usage: answers.mjs PROGRAM PAGE_DIR
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [program, page] = process.argv.slice(2);
// The page's modules are in a folder without a package.json: loaded as a data: address, they are modules all the same.
const source = readFileSync(join(page, 'js', 'library.js'));
const { Library } = await import('data:text/javascript;base64,' + source.toString('base64'));
const library = await Library.open(readFileSync(join(page, 'lanewise.wasm')));
const work = mkdtempSync(join(tmpdir(), 'explorer-'));
let asked = 0, failed = 0;

function compare(words) {
    const here = library.run(words), there = spawnSync(program, words, { cwd: work, encoding: 'utf8', maxBuffer: 1 << 28 });
    asked++;
    if (here.out === there.stdout && here.notes === there.stderr && here.status === there.status) return here;
    if (failed++ < 10) {
        console.log(`other answers (${here.status}, ${there.status}) to: lanewise ${words.join(' ')}`);
        console.log(`  page    ${(here.out + here.notes).slice(0, 300)}\n  program ${(there.stdout + there.stderr).slice(0, 300)}`);
    }
    return here;
}

const json = words => JSON.parse(compare([...words, '--json']).out);

function layouts(name, target, info) {
    for (const { operand } of info.operands) compare(['layout', name, ...target, '--operand', operand, '--json']);
    const { operand } = info.operands.at(-1);
    for (const format of ['cute', 'triton', 'iree', 'listing', 'svg'])
        compare(['layout', name, ...target, '--operand', operand, '--format', format]);
    compare(['layout', name, ...target, '--operand', 'D', '--next', 'B', '--json']);
    compare(['layout', name, ...target, '--operand', 'A', '--banks', 'b64', '--json']);
    compare(['layout', name, ...target, '--operand', 'A', '--check', 'i = l%16, k = 4*(l/16)+v', '--json']);
}

// Numbers that the page makes, computed here and by the program on the same files.
function numbers(name, target, kind) {
    const made = JSON.parse(library.run(['numbers', name, ...target, '--kind', kind, '--at', '1,2', '--json']).out);
    if (made.error) throw new Error(`numbers ${name}: ${made.error}`);
    const words = ['eval', name, ...target];
    for (const { option, file } of made.arrays) {
        writeFileSync(join(work, file), library.array(file));
        words.push(`--${option}`, file);
    }
    compare([...words, '--json']);
    compare([...words, '--explain', '1,2', '--json']);
}

try {
    const kinds = ['random', 'cancellation', 'subnormal', 'nan'], families = new Set();
    for (const { arch } of json(['list']).archs) {
        const all = json(['list', '--arch', arch]).instructions;
        // Each family's first, and every fortieth.
        const chosen = all.filter((each, i) => i % 40 === 3 || all.findIndex(other => other.family === each.family) === i);
        for (const { mnemonic, family } of chosen) {
            const target = ['--arch', arch], info = json(['info', mnemonic, ...target]);
            families.add(family);
            if (info.error) throw new Error(info.error);
            layouts(mnemonic, target, info);
            if (!info.moves) numbers(mnemonic, target, kinds[asked % kinds.length]);
        }
    }
    compare(['layout', '--guess', 'i = l%16, k = 4*(l/16)+v', '--arch', 'gfx942', '--json']);
    compare(['layout', 'v_mfma_f32_16x16x16_f16', '--arch', 'gfx942', '--operand', 'Z', '--json']);
    compare(['layout', 'no_such', '--arch', 'gfx942', '--json']);
    if (families.size < 15) throw new Error(`only ${families.size} families: ${[...families]}`);
    console.log(`${asked} answers compared, of ${families.size} families; ${failed} differ`);
} catch (error) {
    console.log(error.stack);
    failed++;
} finally {
    rmSync(work, { recursive: true });
}
process.exit(failed ? 1 : 0);
