// SPDX-License-Identifier: MIT
// The C library in the page: the program's verbs, called with the program's words.

const OK = 0, BAD_DESCRIPTOR = 8, NOT_SUPPORTED = 52;

class Ended extends Error {}

// What wasi-libc asks of its host. There are no files, no arguments, no environment and no clock worth reading.
function host(memory, written) {
    const view = () => new DataView(memory().buffer);
    const zeros = (...places) => {
        for (const [place, bytes] of places) new Uint8Array(memory().buffer, place, bytes).fill(0);
        return OK;
    };
    const calls = {
        fd_write(fd, pieces, count, total) {
            let size = 0;
            for (let i = 0; i < count; i++) {
                const at = view().getUint32(pieces + 8 * i, true), length = view().getUint32(pieces + 8 * i + 4, true);
                written(fd, new Uint8Array(memory().buffer, at, length).slice());
                size += length;
            }
            view().setUint32(total, size, true);
            return OK;
        },
        // Standard output and error are character devices, so that stdio asks for nothing else.
        fd_fdstat_get(fd, place) {
            if (fd > 2) return BAD_DESCRIPTOR;
            zeros([place, 24]);
            view().setUint8(place, 2);
            return OK;
        },
        fd_prestat_get: () => BAD_DESCRIPTOR,
        fd_close: () => OK,
        environ_sizes_get: (count, size) => zeros([count, 4], [size, 4]),
        args_sizes_get: (count, size) => zeros([count, 4], [size, 4]),
        environ_get: () => OK,
        args_get: () => OK,
        clock_time_get: (id, precision, place) => zeros([place, 8]),
        proc_exit(status) {
            throw new Ended(`the library ended with status ${status}`);
        },
    };
    return new Proxy(calls, { get: (all, name) => all[name] ?? (() => NOT_SUPPORTED) });
}

export class Library {
    #module;
    #calls;
    #written = { 1: [], 2: [] };
    #asked = new Map();

    // `bytes` is the wasm file, or a promise of it, or a Response.
    static async open(bytes) {
        const library = new Library();
        library.#module = await WebAssembly.compile(await bytes);
        library.#start();
        return library;
    }

    #start() {
        const imports = {}, wasi = host(() => this.#calls.memory, (fd, piece) => this.#written[fd]?.push(piece));
        for (const { module, name } of WebAssembly.Module.imports(this.#module))
            (imports[module] ??= {})[name] = wasi[name];
        this.#calls = new WebAssembly.Instance(this.#module, imports).exports;
        this.#calls._initialize();
        this.#asked.clear();
    }

    #text(fd) {
        const pieces = this.#written[fd], decoder = new TextDecoder();
        const text = pieces.map(piece => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
        this.#written[fd] = [];
        return text;
    }

    #copy(bytes) {
        const place = this.#calls.explorer_alloc(bytes.length);
        new Uint8Array(this.#calls.memory.buffer, place, bytes.length).set(bytes);
        return place;
    }

    #string(place) {
        const bytes = new Uint8Array(this.#calls.memory.buffer, place);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }

    get version() {
        return this.#string(this.#calls.explorer_version());
    }

    // What the program would answer to these words: { status, out, notes }.
    run(words) {
        const bytes = new TextEncoder().encode(words.join('\0') + '\0'), place = this.#copy(bytes);
        let status;
        try {
            status = this.#calls.explorer_run(place, bytes.length);
            this.#calls.explorer_free(place);
        } catch (error) {
            // Its memory may be in any state: the next question has a new one.
            status = 3;
            this.#written[2].push(new TextEncoder().encode(String(error.message)));
            this.#start();
        }
        return { status, out: this.#text(1), notes: this.#text(2) };
    }

    // The JSON answer to these words; an object with `error` where there is none. Answers that depend on nothing but
    // their words are kept.
    ask(words) {
        const key = words.join('\0'), kept = !words.some(word => word.endsWith('.npy'));
        if (kept && this.#asked.has(key)) return this.#asked.get(key);
        const { status, out, notes } = this.run([...words, '--json']);
        let answer;
        try {
            answer = JSON.parse(out);
        } catch {
            answer = { error: notes.trim() || 'no answer', status };
        }
        if (this.#asked.size > 200) this.#asked.clear();
        if (kept && words[0] !== 'numbers') this.#asked.set(key, answer);
        return answer;
    }

    // Drops the kept answers.
    forget() {
        this.#asked.clear();
    }

    // The bytes of an array that `numbers` made.
    array(name) {
        const bytes = new TextEncoder().encode(name + '\0'), place = this.#copy(bytes);
        const at = this.#calls.explorer_bytes(place), size = this.#calls.explorer_size(place);
        this.#calls.explorer_free(place);
        return at ? new Uint8Array(this.#calls.memory.buffer, at, size).slice() : null;
    }

    put(name, data) {
        const place = this.#copy(new TextEncoder().encode(name + '\0')), at = this.#copy(data);
        const done = this.#calls.explorer_put(place, at, data.length);
        this.#calls.explorer_free(place);
        this.#calls.explorer_free(at);
        return Boolean(done);
    }
}
