// SPDX-License-Identifier: MIT
// Small helpers for elements.

export const $ = id => document.getElementById(id);

// element('button', { class: 'quiet', onclick: f }, 'text', child)
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
        if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
        else if (value === true) made.setAttribute(name, '');
        else if (value !== false && value != null) made.setAttribute(name, value);
    made.append(...children.filter(child => child != null));
    return made;
}

export function options(select, values, chosen) {
    select.replaceChildren(...values.map(([value, text]) => element('option', { value }, text ?? value)));
    if (chosen != null) select.value = chosen;
}

export function save(name, blob) {
    const link = element('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// A field for each modifier of an instruction; the keyboard stays where it was. take("cbsz:fp4 blgp:fp4") after a change.
export function modifierFields(root, names, text, take) {
    const given = new Map(text.split(' ').filter(Boolean).map(word => [word.slice(0, word.indexOf(':')), word.slice(word.indexOf(':') + 1)]));
    const changed = () => take([...root.querySelectorAll('input')].filter(box => box.value.trim())
        .map(box => `${box.name}:${box.value.trim().replaceAll(' ', '')}`).join(' '));
    const at = root.contains(document.activeElement) ? document.activeElement.name : null;
    root.replaceChildren(...(names ?? '').split(' ').filter(Boolean).map(name =>
        element('label', {}, `${name} `, element('input', { name, size: 6, value: given.get(name) ?? '', placeholder: 'none', onchange: changed }))));
    if (at) root.querySelector(`[name="${CSS.escape(at)}"]`)?.focus();
}

// A badge for a label of the evidence; the word stands in it, so that colour is not needed.
export const badge = label => element('span', { class: `badge ${label}` }, label);

export function table(heads, rows, caption) {
    return element('table', {}, caption ? element('caption', {}, caption) : null,
        element('thead', {}, element('tr', {}, ...heads.map(head => element('th', { scope: 'col' }, String(head))))),
        element('tbody', {}, ...rows.map(row => element('tr', {}, ...row.map((cell, i) =>
            element(i ? 'td' : 'th', i ? {} : { scope: 'row' }, cell instanceof Node ? cell : String(cell)))))));
}

export const complaint = answer => element('p', { class: 'error', role: 'alert' }, answer.error);
