"""Tests that no include of the library leads to a higher floor, to a neighbour on the same floor, or to a higher
room.

Usage: floors_test.py INCLUDE/tracecodec ARCHITECTURE.md. The floors are the first column of the page's first table
that begins with a folder, from the ground up. Folders in one row are neighbours. A table with rows like
`wire/types/` contains all rooms of that floor, from the ground up. The rooms of a folder must not include each
other in a cycle. A header X.hpp next to the room X/ belongs to that room. Headers must not include each other in a
cycle, except through .ipp files. A header that contains only `detail` must be in a room engine/. Every public
header must include config.hpp, directly or indirectly, because it refuses compilers without C++20. The picture of
the page must contain all floors. Prints each line that breaks a rule.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(tracecodec(?:/[^>]+|\.h(?:pp)?))>)')


def floors_of(page):
    floors, rows = {}, 0
    for line in page.splitlines():
        folders = re.findall(r"`(\w+)/`", line.split("|")[1]) if line.startswith("| `") else []
        if folders:
            floors.update((folder, rows) for folder in folders)
            rows += 1
        elif rows:
            return floors
    return floors


def rooms_of(page):
    """Returns the rooms of each floor with a table of rooms, in the table's order."""
    rooms = {}
    for floor, room in re.findall(r"^\| `(\w+)/([\w/]+)/`", page, re.M):
        rooms.setdefault(floor, []).append(f"{floor}/{room}")
    return rooms


def is_wholly_detail(path):
    """Returns True for a header whose declarations are all in a namespace detail."""
    detail = public = 0
    inside = []
    text = re.sub(r"^namespace \w+ \{\n[^\n]*\n\}\n", "", path.read_text(encoding="utf-8"), flags=re.M)
    text = re.sub(r'R"\(.*?\)"', '""', text, flags=re.S)
    for line in text.splitlines():
        if found := re.match(r"(?:inline )?namespace ([\w:]*) ?\{", line):
            inside.append(found[1])
        elif line.startswith("}  // namespace"):
            inside.pop()
        elif (code := line.split("//")[0].strip()) and not code.startswith("#"):
            if any("detail" in name.split("::") for name in inside):
                detail += 1
            else:
                public += 1
    return detail > 0 and public == 0


def includes_of(root):
    for path in sorted(root.rglob("*.[hi]pp")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if found := INCLUDE.match(line):
                # As a compiler searches: next to the file, then in the include folder.
                names = [root.parent / (found[1] or found[2])]
                if found[1]:
                    names.insert(0, path.parent / found[1])
                target = next((name.resolve() for name in names if name.is_file()), None)
                if target is None:
                    if found[2]:
                        sys.exit(f"{path}:{number}: there is no {found[2]}")
                elif target.is_relative_to(root):
                    yield path.relative_to(root), number, target.relative_to(root)
                elif target.is_relative_to(root.parent):
                    yield path.relative_to(root), number, pathlib.Path("..") / target.relative_to(root.parent)


def room_of(path):
    parts = [part for part in path.with_suffix("").parts if part != "impl"]
    return "/".join(parts[:2])


def circles(edges):
    """Returns one cycle of each set of headers that include each other, as a list of (from, to)."""
    done, way, found = set(), [], []

    def visit(room):
        way.append(room)
        for target in edges.get(room, {}):
            if target in way:
                knot = way[way.index(target):] + [target]
                found.append(list(zip(knot, knot[1:])))
            elif target not in done:
                visit(target)
        done.add(way.pop())

    for room in edges:
        if room not in done:
            visit(room)
    return found


def main():
    root, page = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    floors = floors_of(page.read_text(encoding="utf-8"))
    folders = {path.name for path in root.iterdir() if path.is_dir()}
    wrong = [f"{page}: the table of floors lacks `{name}/`" for name in sorted(folders - floors.keys())]
    wrong += [f"{page}: there is no folder `{name}/`" for name in sorted(floors.keys() - folders)]
    picture = (page.parent / "images" / "architecture.svg").read_text(encoding="utf-8")
    wrong += [f"images/architecture.svg lacks `{name}/`" for name in floors if f">{name}/" not in picture]
    ordered = rooms_of(page.read_text(encoding="utf-8"))
    rank = {room: place for all_rooms in ordered.values() for place, room in enumerate(all_rooms)}
    for floor, all_rooms in ordered.items():
        there = {f"{floor}/{path.name}" for path in (root / floor).iterdir() if path.is_dir() and path.name != "impl"}
        wrong += [f"{page}: the table of rooms lacks `{room}/`" for room in sorted(there - set(all_rooms))]
        wrong += [f"{page}: there is no room `{room}/`" for room in sorted(set(all_rooms) - there)]
    wrong += [f"{path}: all of it is detail: it belongs in a room engine/"
              for path in sorted(root.rglob("*.hpp"))
              if not {"impl", "engine"} & set(path.parts) and is_wholly_detail(path)]
    rooms, seen = {}, 0
    includes = list(includes_of(root))
    roof = {path for path, _, _ in includes if len(path.parts) == 1}
    headers = {}
    for path, number, target in includes:
        seen += 1
        if path.suffix == target.suffix == ".hpp":
            headers.setdefault(str(path), {}).setdefault(str(target), f"{path}:{number}: {target}")
        here, there = path.parts[0], target.parts[0]
        if there == "..":
            wrong.append(f"{path}:{number}: {target.name} stands above all floors")
            continue
        if path in roof or target not in roof and len(target.parts) == 1:
            continue  # the root folder: headers of headers are above all floors, others below the ground floor
        if wrong and not {here, there} <= floors.keys():
            continue
        if target in roof:
            wrong.append(f"{path}:{number}: {target} stands above all floors")
        elif here != there and floors[there] >= floors[here]:
            how = "beside" if floors[there] == floors[here] else "above"
            wrong.append(f"{path}:{number}: {target}: `{there}/` is {how} `{here}/`")
        elif here == there and room_of(path) != room_of(target):
            if rank.get(room_of(path), len(includes)) < rank.get(room_of(target), -1):
                wrong.append(f"{path}:{number}: {target}: `{room_of(target)}/` is above `{room_of(path)}/`")
            rooms.setdefault(room_of(path), {}).setdefault(room_of(target), f"{path}:{number}: {target}")
    wrong += [f"{path}: includes no header of the library, so it must include config.hpp"
              for path in (path.relative_to(root) for path in sorted(root.rglob("*.hpp")))
              if str(path) not in headers and "impl" not in path.parts and path.name != "config.hpp"]
    for edges in rooms, headers:
        for circle in circles(edges):
            wrong.append("a circle: " + ", ".join(edges[a][b] for a, b in circle))
    print("\n".join(wrong) or f"{seen} includes, none goes up")
    return 1 if wrong or seen == 0 or len(floors) < 2 else 0


sys.exit(main())
