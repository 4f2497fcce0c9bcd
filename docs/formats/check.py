#!/usr/bin/env python3
"""Checks a certificate of Bouton (certificate.md) by the rules of the game: check.py FILE

Prints `verified` and what is proved (exit code 0), or what is wrong with which couple (1); code 2
is wrong usage or a game other than Nim, Cram, Konane and Sprouts. No line of Bouton is used.

A certificate is a set of couples `p + *g`, each meant to be lost for the player to move, so that p
has nimber g. `read_file` takes the bytes apart, `Proof` checks that every move from every couple
has an answer back into the set, and a class a game knows the rules: `read` makes a position of its
notation, `text` writes packed bytes in it, `options` yields the moves. A position is the frozenset
of its components in canonical forms of this program's own (a set: `x + x` is worth 0 and cancels).

Unreachable couples, or Sprouts that no plane has room for, do no harm. Each couple speaks of the
game that starts from itself, whose options are made by the same rules, and every move leaves fewer
tokens, cells, stones or lives: so if all couples are right, all are true, by induction. A claim
rests on those alone that play from the root can meet.

The BLAKE3 sum at the end is not verified (Python's library has none). It tells of damage to the
file; the proof is checked in full without it.
"""
import re
import sys
from collections import Counter, defaultdict
from functools import lru_cache, reduce
from itertools import chain, combinations_with_replacement, compress, count, groupby, product
from operator import xor

LOSS, WIN, NIMBER = range(3)

class Wrong(Exception):
    """The certificate does not prove its claim."""

def expect(condition, otherwise: str) -> None:
    if not condition:
        raise Wrong(otherwise)

def read_file(data: bytes) -> tuple[str, str, int, int, dict[bytes, int]]:
    """Game, root, kind of claim, its nimber, and the couples: packed position -> g."""
    at, couples, key = 0, {}, b""

    def take(length: int) -> bytes:
        nonlocal at
        at += length
        expect(at <= len(data), "the file ends too early")
        return data[at - length : at]

    def varint() -> int:
        digits = [take(1)[0]]
        while digits[-1] > 127 and len(digits) < 6:
            digits += take(1)
        value = sum((digit & 127) << 7 * i for i, digit in enumerate(digits))
        right = digits[-1] < 128 and value < 1 << 32 and (digits[-1] or len(digits) == 1)
        expect(right, f"offset {at}: a number beyond 2^32 - 1 or longer than needed")
        return value

    expect(take(8) == b"BOUTONC\x01", "not a certificate of version 1")
    game, root = (take(varint()).decode("utf-8", "replace") for _ in range(2))
    kind, nimber, size, blocks = take(1)[0], varint(), varint(), varint()
    expect(kind == NIMBER or kind in (LOSS, WIN) and nimber == 0, f"claim {kind}, {nimber}")
    expect(blocks == -(-size // 64), f"{blocks} blocks for {size} couples")
    for block in range(blocks):
        expect(varint() == min(64, size - 64 * block), f"block {block}: wrong number of couples")
        for index in range(min(64, size - 64 * block)):
            before, shared = key, varint()
            expect(shared <= len(key) * (index > 0), f"couple {len(couples)}: shares {shared} bytes")
            key = key[:shared] + take(varint())
            expect(before < key, f"couple {key.hex()}: not in ascending order")
            couples[key] = varint()
    expect(at + 32 == len(data), f"expected the last 32 bytes at offset {at}")
    return game, root, kind, nimber, couples

class Proof:
    """Couples, component -> g. All are true if `check` finds each of them right."""

    def __init__(self, game, packed: dict[bytes, int]) -> None:
        self.game, self.couples, self.names = game, {}, {}
        self.has_option = lru_cache(None)(self.has_option)
        for data, g in packed.items():
            try:
                name = game.text(data)
                position = game.read(name)
                expect(len(position) == 1, f"{name} is not in one piece")
                expect(g == 0 or not game.colours, f"{name} has a heap, in a game with colours")
                self.names.update((component, f"couple {name} + *{g}") for component in position)
                for form in game.forms(*position):
                    expect(self.couples.setdefault(form, g) == g, f"{name} has two nimbers")
            except Wrong as wrong:
                raise Wrong(f"couple {data.hex()}: {wrong}") from None

    def worth(self, position: frozenset) -> int | None:
        known = all(component in self.couples for component in position)
        return reduce(xor, map(self.couples.get, position), 0) if known else None

    def has_option(self, position: frozenset, worth: int) -> bool:
        return any(self.worth((position - {component}) ^ option) == worth
                   for component in sorted(position, key=self.couples.__contains__)
                   for option in self.game.options(component))

    def check(self, component) -> None:
        g, name, found = self.couples[component], self.names[component], set()
        for option in self.game.options(component):
            worth = self.worth(option)
            expect(worth != g, f"{name}: an option is worth {g}")
            expect(worth is not None or self.has_option(option, g), f"{name}: a move has no answer")
            found.add(worth)
        lacking = next(h for h in count() if h not in found)
        expect(lacking >= g, f"{name}: no option is worth {lacking}")

class Nim:
    """A component is the size of a heap."""
    colours, forms = False, lambda self, component: {component}

    def read(self, text: str) -> frozenset:
        expect(re.fullmatch(r"[0-9]{1,5}(,[0-9]{1,5})*", text), f'"{text}" is no list of heaps')
        heaps = Counter(map(int, text.split(",")))
        return frozenset(heap for heap in heaps if heap and heaps[heap] % 2)

    def text(self, data: bytes) -> str:
        heaps = [int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2)]
        expect(len(data) % 2 == 0 and all(heaps) and heaps == sorted(heaps), "no heaps in order")
        return ",".join(map(str, heaps))

    def options(self, heap: int):
        return (frozenset({left} - {0}) for left in range(heap))

NEAR = (0, 1), (1, 0), (0, -1), (-1, 0)

class Board:
    """What games on boards share. A board is a tuple of rows, tuples of characters."""
    forms, size = Nim.forms, None

    def rows(self, text: str, cells: str) -> tuple:
        rows = tuple(map(tuple, re.split(r"[|/]", text)))
        fits = all(len(row) == len(rows[0]) > 0 and set(row) <= set(cells) for row in rows)
        expect(fits, f'"{text}" is no board')
        self.size = self.size or (len(rows), len(rows[0]))  # the root is read first
        return rows

    def bits(self, data: bytes, height: int, width: int) -> list[list[int]]:
        bits, cells = int.from_bytes(data, "little"), height * width
        expect(len(data) == (cells + 7) // 8 and bits >> cells == 0, f"not {cells} bits")
        return [[bits >> r * width + c & 1 for c in range(width)] for r in range(height)]

    def rotate(self, rows: tuple, times: int = 1) -> tuple:
        return self.rotate(tuple(zip(*rows[::-1])), times - 1) if times else rows

    def images(self, rows: tuple) -> list[tuple]:
        return [image for k in range(4) for image in (self.rotate(rows, k), self.rotate(rows[::-1], k))]

    def put(self, rows: tuple, r: int, c: int, what: str) -> tuple:
        return rows[:r] + (rows[r][:c] + tuple(what) + rows[r][c + len(what) :],) + rows[r + 1 :]

class Cram(Board):
    """A component is the least image of a shape, "." free and "#" taken."""
    colours = False

    def read(self, text: str) -> frozenset:
        return self.split(self.rows(text, ".#"))

    def text(self, data: bytes) -> str:
        fits = len(data) > 2 and 0 < data[0] <= min(self.size) and data[0] <= data[1] <= max(self.size)
        expect(fits, "no height and width on this board, the width at least the height")
        return "|".join("".join("#."[x] for x in row) for row in self.bits(data[2:], *data[:2]))

    def options(self, component: tuple):
        for rows in (component, self.rotate(component)):  # dominoes that lie; then the others
            for r, c in product(range(len(rows)), range(len(rows[0]) - 1)):
                if rows[r][c] == rows[r][c + 1] == ".":
                    yield self.split(self.put(rows, r, c, "##"))

    def split(self, rows: tuple) -> frozenset:
        left = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "."}
        position = frozenset()
        while left:
            piece, new = set(), {left.pop()}
            while new:
                piece, left = piece | new, left - new
                new = left.intersection((r + y, c + x) for r, c in new for y, x in NEAR)
            if len(piece) > 1:  # a cell alone does not matter
                high, wide = (sorted({cell[axis] for cell in piece}) for axis in (0, 1))
                shape = tuple(tuple("#."[(r, c) in piece] for c in wide) for r in high)
                position ^= {min(self.images(shape))}
        return position

class Konane(Board):
    """The one component: (board of "x" black, "o" white, "." empty; who is to move, "x" or "o")."""
    colours, full = True, ()

    def read(self, text: str) -> frozenset:
        rows, side = self.rows(text[:-2].lower(), "xo."), {" b": "x", " w": "o"}.get(text[-2:])
        if not self.full:  # a symmetry keeps colours if it keeps the full board
            columns = range(self.size[1])
            self.full = tuple(tuple("xo"[(r + c) % 2] for c in columns) for r in range(self.size[0]))
            self.keeps = [image == self.full for image in self.images(self.full)]
        pairs = [pair for both in zip(rows, self.full) for pair in zip(*both)]
        right = self.size == (len(rows), len(rows[0])) and all(a in (".", b) for a, b in pairs)
        expect(right, f'"{text}" has a stone where it cannot be, or another size than the root')
        expect(side == "x" or side == "o" and rows != self.full, f'"{text}": wrong side to move')
        return self.position(rows, side)

    def position(self, rows: tuple, side: str) -> frozenset:
        return frozenset([(min(compress(self.images(rows), self.keeps)), side)])

    def text(self, data: bytes) -> str:
        both = zip(self.full, self.bits(data[:-1], *self.size))
        rows = ["".join(stone if bit else "." for stone, bit in zip(*pair)) for pair in both]
        return "|".join(rows) + " " + data[-1:].decode("latin-1")

    def options(self, component: tuple):
        (rows, side), (height, width) = component, self.size
        squares = {*product(range(height), range(width))}
        holes, boards = [(r, c) for r, c in squares if rows[r][c] == "."], self.jumps(rows, side)
        if not holes:  # Black takes a stone off the middle or a corner
            middle = product(((height - 1) // 2, height // 2), ((width - 1) // 2, width // 2))
            taken = {*middle, *product((0, height - 1), (0, width - 1))}
        else:  # and White one beside it
            taken = squares & {(holes[0][0] + y, holes[0][1] + x) for y, x in NEAR}
        if not holes or len(holes) == 1 and side == "o" and sum(holes[0]) % 2 == 0:
            boards = (self.put(rows, r, c, ".") for r, c in taken if rows[r][c] == side)
        return (self.position(board, "xo"[side == "x"]) for board in boards)

    def jumps(self, board: tuple, side: str):
        for turn in range(4):  # jumps to the right, on the board turned four ways
            rows = self.rotate(board, turn)
            for r, c in product(range(len(rows)), range(len(rows[0]))):
                for to in range(c + 2, len(rows[0]), 2) if rows[r][c] == side else ():
                    if rows[r][to - 1] == "." or rows[r][to] != ".":
                        break
                    yield self.rotate(self.put(rows, r, c, "." * (to - c) + side), -turn % 4)

N, T, U = range(1 << 30, (1 << 30) + 3)  # names a move gives: the new vertex, and two ends

class Sprouts:
    """A component is a land: a tuple of regions, tuples of boundaries, tuples of vertices.

    In play a vertex is its degree 0, 1, 2, or a letter, a number from 3 on: a vertex of degree 2
    that occurs twice. In a component a letter with both occurrences in one boundary is -d at each,
    d the steps to the other: that needs no name and does not depend on where the boundary begins.
    """
    colours = False

    def text(self, data: bytes) -> str:
        text = ""
        for token in re.findall(rb"[\6\7]..|.", data, re.DOTALL):
            code, lower = token[0], token[0] < 0x50 and token[0] != 7
            number = int.from_bytes(token[1:], "big") if code < 8 else code - (16 if lower else 0x50)
            expect(0 < code < 6 or len(token) == 3 or code > 15, f"byte {code:02x}")
            letter = chr(ord("a" if lower else "A") + number % 26) + "~" * (number // 26)
            text += "012.|+"[code] if code < 6 else letter if code < 0xC0 else f"0*{code - 0xBF};"
        return re.sub(r";(?=[|+]|$)", "", text).replace(";", ".") + "!"  # no mark behind spots

    def read(self, text: str) -> frozenset:
        regions, names, places = [], {}, defaultdict(list)
        for land in re.sub(r"^([1-9]\d*)$", r"0*\1", text).removesuffix("!").split("+"):
            first = len(regions)
            for region in land.split("|") if text != "!" else ():
                regions.append([])
                for b in region.split("."):
                    spots = re.fullmatch(r"0(?:\*([1-9][0-9]{0,3}))?", b)
                    expect(spots or re.fullmatch("([12]|[A-Za-z]~*)+", b), f'"{b}" is no boundary')
                    regions[-1] += [(0,)] * int(spots[1] or 1) if spots else [()]
                    for name in () if spots else re.findall("[12]|[A-Za-z]~*", b):
                        scope = (len(regions), len(regions[-1])) if name.islower() else first
                        v = int(name) if name in "12" else names.setdefault((name, scope), len(names) + 3)
                        regions[-1][-1] += (v,)
                        places[v].append(len(regions))
        for (name, _), v in names.items():
            right = len(places[v]) == 2 and len(set(places[v])) == 2 - name.islower()
            expect(right, f'"{text}": {name} must occur twice, in one boundary or two regions')
        return self.lands(regions)

    def forms(self, land: tuple) -> set[tuple]:
        return self.numbered([[*chain(*alike.values())] for alike in self.named(land)], True)

    def named(self, land: tuple) -> list[dict[tuple, list[tuple]]]:
        """The boundaries of each region with names for all letters, those that are alike together."""
        fresh, regions = count(1 << 20), [defaultdict(list) for _ in land]
        for alike, b in ((alike, b) for alike, region in zip(regions, land) for b in region):
            pairs = defaultdict(fresh.__next__)
            pair = lambda i: pairs[min(i, (i - b[i]) % len(b))]
            alike[b].append(tuple(pair(i) if v < 0 else v for i, v in enumerate(b)))
        return regions

    def options(self, land: tuple):
        regions = self.named(land)
        plain = [[*chain(*alike.values())] for alike in regions]
        for index, alike in enumerate(regions):
            others = plain[:index] + plain[index + 1 :]
            for one, two in combinations_with_replacement(alike, 2):  # curves between boundaries
                rest = [b for kind in alike for b in alike[kind][(kind == one) + (kind == two) :]]
                if one != two or len(alike[one]) > 1:
                    for a, b in product(self.ends(alike[one][0], T), self.ends(alike[two][one == two], U)):
                        yield self.lands(others + [rest + [a + (N,) + b + (N,)]])
            for one in alike:  # curves within a boundary, and what they part of the others
                rest = [alike[kind][kind == one :] for kind in alike]
                cuts = [*product(*(range(len(same) + 1) for same in rest))]
                for (a, b), cut in product(self.loops(alike[one][0]), cuts):
                    left = [x for same, k in zip(rest, cut) for x in same[:k]]
                    right = [x for same, k in zip(rest, cut) for x in same[k:]]
                    yield self.lands(others + [[a] + left, [b] + right])

    def ends(self, b: tuple, t: int):
        """A boundary, opened at each of its vertices to be joined to another."""
        for i, v in enumerate(b):
            end = {0: (1,), 1: (t,), 2: ()}.get(v, (v,))
            yield end + b[i + 1 :] + b[:i] + (end if v else ())

    def loops(self, b: tuple):
        """What a curve from a boundary to itself makes of it on its two sides."""
        if b == (0,):
            yield (T, N), (T, N)
        for i, v in enumerate(b):
            if v == 1:
                yield (N,), b[i + 1 :] + b[:i] + (N,)
            for j in (j for j in range(i + 1, len(b)) if b[j] != v or v < 3):
                p, q = {1: (T,), 2: ()}.get(v, (v,)), {1: (U,), 2: ()}.get(b[j], (b[j],))
                yield p + b[i + 1 : j] + q + (N,), q + b[j + 1 :] + b[:i] + p + (N,)

    def lands(self, drawn: list[list[tuple]]) -> frozenset:
        """The lands of a drawing, without what no longer matters."""
        uses, regions, lands = Counter(v for region in drawn for b in region for v in b), [], []
        for region in drawn:
            region = [[v for v in b if v < 3 or uses[v] < 3] for b in region]  # three times: dead
            region = [[v for i, v in enumerate(b) if v < 3 or i == 0 or v != b[i - 1]] for b in region]
            region = [b[: -1 if len(b) > 1 and b[0] == b[-1] > 2 else None] for b in region if b]
            here = Counter(v for b in region for v in b)
            lives = sum(n * (3 - v) if v < 3 else 1 for v, n in here.items())
            if lives in (2, 3):  # shape does not matter, and a letter seen twice here is a 2
                once = [(v, 1 if v > 2 else n) for v, n in here.items()]
                region = [[2 if here[v] > 1 and v > 2 else v for v, n in once for _ in range(n)]]
            if lives > 1:
                regions.append(region)
        uses = Counter(v for region in regions for b in region for v in b)
        for region in regions:
            region = [tuple(2 if v > 2 and uses[v] == 1 else v for v in b) for b in region]
            letters, land = {v for b in region for v in b if v > 2}, [region]
            for linked in [other for other in lands if other[0] & letters]:
                lands.remove(linked)
                letters, land = letters | linked[0], land + linked[1]
            lands.append((letters, land))
        position = frozenset()
        for _, land in lands:
            position ^= self.numbered(land)
        return position

    def numbered(self, land: list[list[tuple]], every: bool = False) -> set[tuple]:
        """A form that forgets names, the order of boundaries and regions, where boundaries begin,
        and from which side a region is seen. Letters are numbered by colour refinement; while some
        are alike, one of them is put first, whichever. It rarely matters which; where it does, a
        land has several forms. Couples are kept under `every` one, so any will do to find them."""
        unname = lambda b: tuple(next((-k for k in range(1, len(b)) if b[i + k - len(b)] == v > 2), v)
                                 for i, v in enumerate(b))
        views = [[[unname(b[::way]) for b in region] for way in (1, -1)] for region in land]

        def refine(colour: dict[int, int]) -> tuple[tuple, dict[int, int]]:
            """Tells letters apart by what is around them, until that tells no more apart."""
            form, marks = [], {v: [] for v in colour}
            for region in views:
                codes, seen = [], defaultdict(list)
                for view in region:
                    painted = [[colour.get(v, v) for v in b] for b in view]
                    turned = [[b[i:] + b[:i] for i in range(len(b))] for b in painted]
                    codes.append(sorted(map(min, turned)))
                    for v, turn in zip(chain(*view), chain(*turned)):
                        seen[v].append((codes[-1], turn))
                form.append(tuple(map(tuple, min(codes))))
                for v in marks.keys() & seen:
                    marks[v].append(min(seen[v]))
            marks = {v: (colour[v], sorted(marks[v])) for v in colour}
            kinds = [kind for kind, _ in groupby(sorted(marks.values()))]
            finer = {v: 3 + kinds.index(marks[v]) for v in colour}
            return refine(finer) if finer != colour else (tuple(sorted(form)), colour)

        def forms(form: tuple, colour: dict[int, int], every: bool) -> set[tuple]:
            alike = min((c for c, n in Counter(colour.values()).items() if n > 1), default=None)
            ways = {}
            for first in (v for v in colour if colour[v] == alike):
                way = refine({v: 2 * c - (v == first) for v, c in colour.items()})
                ways.setdefault(*forms(*way, False), way)  # equal forms: images of each other
                if not every:
                    return set(ways)
            return set().union(*(forms(*way, True) for way in ways.values())) or {form}

        shared = {v: 3 for region in land for b in region for v in b if v > 2 and b.count(v) == 1}
        return forms(*refine(shared), every)

def main(arguments: list[str]) -> int:
    try:
        (path,) = arguments
        with open(path, "rb") as file:
            name, text, kind, nimber, packed = read_file(file.read())
        games = {"nim": Nim, "cram": Cram, "konane": Konane, "sprouts": Sprouts}
        if name not in games:
            raise ValueError(f'unknown game "{name}"')
        game = games[name]()
        root = game.read(text)
        proof = Proof(game, packed)
        for component in proof.names:
            proof.check(component)
        worth = proof.worth(root)
        holds = worth or proof.has_option(root, 0) if kind == WIN else worth == nimber
        expect(holds, f"the claim does not follow, the root has worth {worth}")
        expect(kind != NIMBER or not game.colours, "a claim of a nimber in a game with colours")
    except Wrong as wrong:
        print(f"wrong: {wrong}")
        return 1
    except (OSError, ValueError) as error:
        print(f"usage: check.py FILE ({error})", file=sys.stderr)
        return 2
    claim = ["is lost for the player to move", "is won by the player to move", f"has nimber {nimber}"]
    print(f"verified: {name} {text} {claim[kind]}, {len(packed)} couples")
    return 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
