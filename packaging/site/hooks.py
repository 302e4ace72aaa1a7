"""Hooks of mkdocs that add CONTRIBUTING.md, a page outside docs/, to the site."""
import pathlib

from mkdocs.structure.files import File

PAGE = 'CONTRIBUTING.md'


def on_files(files, config):
    root = pathlib.Path(config['config_file_path']).parent
    files.append(File(PAGE, str(root), config['site_dir'], config['use_directory_urls']))
    return files


def on_page_markdown(markdown, page, config, files):
    """Returns a page's text with the links that lead to and from CONTRIBUTING.md as they are on the site."""
    if page.file.src_path == PAGE:
        return markdown.replace('](docs/', '](')
    return markdown.replace(f'](../{PAGE}', f']({PAGE}')
