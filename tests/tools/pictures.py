# Reads the pictures of a report back into numbers: the drawn values, and those shown under the
# pointer. Supports only the SVG of a report, in its own units; any other form is an error.
import html
import re


def number(text):
    return float(text.replace(',', ''))


def is_round(step):
    """Returns True for 1, 2 or 5 times a power of ten."""
    return ('%.6e' % step)[:8] in ('1.000000', '2.000000', '5.000000')


def check_ticks(page):
    """Checks that each time axis has round numbers at their correct positions."""
    plots = re.findall(r'<div class="plot" data-first="(\d+)" data-items="(\d+)" '
                       r'data-what="\w+">.*?<div class="x" aria-hidden="true">(.*?)</div>',
                       page, re.S)
    assert len(plots) == page.count('<div class="x"') == page.count('class="plot"')
    for first, items, axis in plots:
        first, items = int(first), int(items)
        found = re.findall(r'<span style="left:([\d.]+)%;translate:-(\d+)%">([\d,]+)</span>', axis)
        assert len(found) == axis.count('<span'), axis
        at = [int(label.replace(',', '')) for _, _, label in found]
        assert (1 if items == 1 else 2) <= len(at) <= 5, (items, axis)
        steps = {b - a for a, b in zip(at, at[1:])}
        assert len(steps) <= 1 and all(is_round(s) and at[0] % s == 0 for s in steps), axis
        for (left, aside, _), n in zip(found, at):
            assert abs(float(left) - 100 * (n - first) / items) < 0.006, (left, n)
            assert 0 <= float(left) <= 100 and 0 <= int(aside) <= 100, axis


def figure(page, caption):
    """Returns the only figure with this caption, and the height of its picture."""
    head = '<figcaption>%s</figcaption>' % html.escape(caption)
    fig, = (f for f in re.findall(r'<figure>.*?</figure>', page, re.S) if head in f)
    (width, height), = re.findall(r'viewBox="0 0 (\d+) (\d+)" [^>]*role="img"', fig)
    assert width == '2400', width
    return fig, int(height)


def names(page):
    """Returns {colour: name} from the legend."""
    return dict(re.findall(r'<rect class="f(\d)"[^>]*/></svg>([^<]*?)(?: [\d.]+%)?</li>', page))


class Chart:
    """Values over time. `steps` has (begin, end, value) for each bucket."""

    def __init__(self, page, caption):
        fig, self.height = figure(page, caption)
        axis, = re.findall(r'<div class="y" aria-hidden="true">(.*?)</div>', fig)
        labels = [number(s) for s in re.findall('<span>(.*?)</span>', axis)]
        self.top, step = labels[0], labels[0] - labels[1]
        assert 2 <= len(labels) <= 5 and is_round(step), axis
        assert all(abs(v - step * i) < step * 1e-6 for i, v in enumerate(reversed(labels))), axis
        self.steps, self.told = {}, []
        hover, = re.findall(r'<g class="hover">(.*?)</g>', fig)
        for x, width, title in re.findall(
                r'<rect x="(\d+)" width="(\d+)" [^>]*><title>(.*?)</title>', hover):
            place, *values = html.unescape(title).split('; ')
            values = (re.fullmatch(r'(.*) ([\d.,]+)%?', v).groups() for v in values)
            self.told.append((int(x), int(x) + int(width), place,
                              {name: number(v) for name, v in values}))
        self.read(page, fig)

    def corners(self, path):
        """Returns the line's (y, x) after each step."""
        assert re.fullmatch(r'M0 \d+H\d+(V\d+H\d+)*z?', path), path[:80]
        return [(int(y), int(x)) for y, x in re.findall(r'(\d+)H(\d+)', path)]


class Lines(Chart):
    def read(self, page, fig):
        for colour, path in re.findall(r'<path class="l s(\d)" d="(.*?)"/>', fig):
            steps, left = [], 0
            for y, right in self.corners(path):
                steps.append((left, right, self.top * (self.height - y) / self.height))
                left = right
            self.steps[names(fig)[colour]] = steps


class Shares(Chart):
    """Stacked areas. An earlier picture contains their legend."""

    def read(self, page, fig):
        before = names(page[:page.index(fig)])
        ground = [self.height] * len(self.told)
        for colour, path in re.findall(r'<path class="f(\d)" d="(.*?)"/>', fig):
            corners = self.corners(path)
            lower, upper = corners[:len(ground)], corners[:len(ground) - 1:-1]
            assert [y for y, _ in lower] == ground
            self.steps[before[colour]] = [
                (left, right, self.top * (below - y) / self.height)
                for (below, right), (y, left) in zip(lower, upper, strict=True)]
            ground = [y for y, _ in upper]


class Heat:
    """Rows of cells over time. `rows` has (label, title, [(begin, end, level 1 to 8)]) for each row. `most` is the
    value of the darkest level."""

    def __init__(self, page, caption):
        fig, height = figure(page, caption)
        self.most, = re.findall(r'<li>1</li>.*</li><li>(.*?)</li></ul>', fig)
        axis, = re.findall(r'<div class="y rows">(.*?)</div>', fig)
        labels = re.findall('<span>(.*?)</span>', axis)
        groups = re.findall(r'<g><title>(.*?)</title>(.*?)</g>', fig)
        self.rows = []
        for k, (label, (told, drawn)) in enumerate(zip(labels, groups, strict=True)):
            cells = []
            for level, path in re.findall(r'<path class="h(\d)" d="(.*?)"/>', drawn):
                pieces = re.findall(r'M(\d+) (\d+)h(\d+)v\d+h-\3z', path)
                assert len(pieces) == path.count('M') > 0, path[:80]
                for x, y, width in pieces:
                    assert int(y) * len(labels) // height == k, (label, path[:80])
                    cells.append((int(x), int(x) + int(width), int(level)))
            self.rows.append((html.unescape(label), html.unescape(told), cells))
