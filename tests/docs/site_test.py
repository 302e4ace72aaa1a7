#!/usr/bin/env python3
"""Builds the site of docs/ with mkdocs, and checks each link to another page or to a place on a page. Argument:
the project's folder. The exit status is 77 (skipped) without mkdocs or its theme."""
import html.parser
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse


class Page(html.parser.HTMLParser):
    """Collects the links and anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        of = dict(attrs)
        self.places.update(v for k, v in of.items() if k in ('id', 'name'))
        if tag == 'a' and of.get('href'):
            self.links.append(of['href'])


def dead_links(site):
    pages = {p.resolve(): Page(p) for p in site.rglob('*.html')}
    for path, page in pages.items():
        if path.name in ('404.html', 'search.html'):
            continue
        for link in page.links:
            to = urllib.parse.urlsplit(link)
            if to.scheme or to.netloc:
                continue
            target = (path.parent / to.path).resolve() if to.path not in ('', '.') else path
            if target.is_dir():
                target /= 'index.html'
            found = pages.get(target)
            if found is None or (to.fragment and to.fragment not in found.places):
                yield f'{path.relative_to(site.resolve())}: {link} leads nowhere'


def main():
    root = pathlib.Path(sys.argv[1])
    if shutil.which('mkdocs') is None:
        print('no mkdocs: skipped')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        built = subprocess.run(['mkdocs', 'build', '--strict', '--quiet', '--site-dir', folder,
                                '--config-file', str(root / 'mkdocs.yml')],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(built.stdout, end='')
        if "Unrecognised theme name: 'material'" in built.stdout:
            print('no mkdocs-material: skipped')
            return 77
        site = pathlib.Path(folder)
        dead = sorted(set(dead_links(site)))
        print('\n'.join(dead))
        listed = (root / 'mkdocs.yml').read_text()
        unlisted = [str(p.relative_to(root / 'docs')) for p in (root / 'docs').rglob('*.md')
                    if f' {p.relative_to(root / "docs")}\n' not in listed]
        if unlisted:
            print('not in mkdocs.yml:', *unlisted)
        made = len(list(site.rglob('*.html')))
        print(f'{made} pages')
        return 1 if built.returncode or dead or unlisted or not made else 0


sys.exit(main())
