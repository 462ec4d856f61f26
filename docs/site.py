# SPDX-License-Identifier: MIT
"""A hook of MkDocs: links to files outside docs/, and to scripts beside the pages, become the names of those files."""
import posixpath
import re

LINK = re.compile(r'(?<!!)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)')


def on_page_markdown(markdown, page, **_):
    folder = posixpath.dirname(page.file.src_uri)

    def plain(match):
        text, target = match[1], match[2]
        path = posixpath.normpath(posixpath.join('docs', folder, target))
        if ':' in target or (path.startswith('docs/') and path.endswith(('.md', '.svg'))):
            return match[0]
        return f'`{path}`' if text.strip('`') == path else f'{text} (`{path}`)'

    return LINK.sub(plain, markdown)
