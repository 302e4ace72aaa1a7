# The pictures of a report read back into numbers: what is drawn, and what is told where one points.
# Of the SVG alone, in units of its own; a picture of any other form is an error.
import html
import re


def number(text):
    return float(text.replace(',', ''))


def figure(page, caption):
    """The one figure with this caption, and how high its picture is."""
    head = '<figcaption>%s</figcaption>' % html.escape(caption)
    fig, = (f for f in re.findall(r'<figure>.*?</figure>', page, re.S) if head in f)
    (width, height), = re.findall(r'viewBox="0 0 (\d+) (\d+)" [^>]*role="img"', fig)
    assert width == '2400', width
    return fig, int(height)


def names(page):
    """Which colour is of whom."""
    return dict(re.findall(r'<rect class="f(\d)"[^>]*/></svg>([^<]*?)(?: [\d.]+%)?</li>', page))


class Chart:
    """Values over time: a step for each bucket, (where it begins, where it ends, the value)."""

    def __init__(self, page, caption):
        fig, self.height = figure(page, caption)
        axis, = re.findall(r'<div class="y" aria-hidden="true">(.*?)</div>', fig)
        self.top, middle, bottom = (number(s) for s in re.findall('<span>(.*?)</span>', axis))
        assert (middle, bottom) == (self.top / 2, 0), axis
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
        """The line's (y, x) behind each of its steps."""
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
    """Areas one upon the other; who they are of is said in a picture before."""

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
    """Rows of cells over time: `rows` has (label, what is told, [(begins, ends, 1 to 8)]) of each,
    `most` what the darkest stands for."""

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
