#!/usr/bin/env python3
"""Checks certificates of Bouton (certificate.md) by the rules of the game: check.py FILE...

Prints `verified` and what is proved, or what is wrong, for each file; exits with 0 if all is well.
Games: Nim, Cram, Konane, Sprouts, Hex. Needs Python 3.8. The BLAKE3 sum, which tells of damage, is
not looked at: the proof is checked in full without it. A class a game knows the rules: `read` makes
a position of text, `unpack` of bytes, `options` of moves. It is a tuple of canonical components; in
Hex, which has steps in place of couples, the stones of whoever is to move, the others, and who.
"""
import re
import sys
from collections import Counter, defaultdict
from functools import lru_cache, reduce
from itertools import chain, combinations, combinations_with_replacement, groupby, product
from operator import xor

LOSS, WIN, NIMBER = range(3)

def expect(condition, otherwise):
    if not condition:
        raise ValueError(otherwise)

def read_file(data):
    """Game, root, kind of claim, its nimber, and the couples: packed position -> g; or the steps, a
    list: packed position, indices of the steps that its moves are met by."""
    at, couples, steps, key = 0, {}, [], b""
    def take(length):
        nonlocal at
        at += length
        expect(at <= len(data), "the file ends too early")
        return data[at - length : at]
    def varint():
        digits = take(1)
        while digits[-1] > 127:
            digits += take(1)
        value = sum((digit & 127) << 7 * place for place, digit in enumerate(digits))
        expect(value < 1 << 32 and (digits[-1] or len(digits) == 1), f"offset {at}: no number")
        return value
    begin, version = take(7), take(1)[0]
    expect(begin == b"BOUTONC" and version in (1, 2), "this is no certificate of version 1 or 2")
    game, root = (take(varint()).decode("utf-8", "replace") for _ in range(2))
    expect((game + root).isprintable(), "game and root are no text of one line")
    kind, nimber, size = take(1)[0], varint(), varint()
    blocks = varint() if version == 1 else 0
    right = kind == NIMBER and version == 1 or kind in (LOSS, WIN) and nimber == 0
    expect(right, f"claim {kind}, {nimber}")
    expect(version == 2 or blocks == (size + 63) // 64, f"{blocks} blocks for {size} couples")
    for index in range(size if version == 2 else 0):
        shared = varint()
        expect(shared <= len(key), f"offset {at}: too many bytes shared")
        key = key[:shared] + take(varint())
        met_by = [index - varint() for _ in range(varint())]
        expect(all(0 <= step < index for step in met_by), f"offset {at}: no earlier step")
        steps.append((key, met_by))
    for index in range(size if version == 1 else 0):
        expect(index % 64 or varint() == min(64, size - index), f"offset {at}: no such block")
        shared = varint()
        expect(shared <= (len(key) if index % 64 else 0), f"offset {at}: too many bytes shared")
        before, key = key, key[:shared] + take(varint())
        expect(before < key or index == 0, f"offset {at}: positions out of order")
        couples[key] = varint()
    expect(at + 32 == len(data), f"expected the last 32 bytes at offset {at}")
    return game, root, kind, nimber, couples if version == 1 else steps

CLAIMS = "loss for the player to move", "win for the player to move"

def check(data):
    """What a file proves."""
    name, text, kind, nimber, proof = read_file(data)
    if isinstance(proof, list):
        expect(name == "hex", f'there are no steps in "{name}"')
        check_steps(Hex(), text, kind, proof)
        return f"{name} {text}: {CLAIMS[kind]} ({len(proof)} steps)"
    return check_couples(name, text, kind, nimber, proof)

def check_steps(game, text, kind, steps):
    """In each step, every move must have an answer after which the player is no better off than in
    one of the steps it names, or has lost."""
    root, losses = game.read(text), []
    def is_lost(positions, met_by):
        known = [losses[step] for step in met_by]
        return (any(game.no_better(position, lost) for position in positions for lost in known)
                or any(game.has_lost(position) for position in positions))
    for data, met_by in steps:
        position = game.unpack(data)
        expect(not game.has_won(position), f"step {data.hex()}: the player to move has won")
        for option in game.options(position):
            answered = is_lost([*game.options(option)], met_by)
            expect(answered, f"step {data.hex()}: no answer to {option}")
        losses.append(position)
    last = [len(losses) - 1] if losses else []
    holds = is_lost([root], last) if kind == LOSS else (
        game.has_won(root) or is_lost([*game.options(root)], last))
    expect(holds, "the claim does not follow")

def check_couples(name, text, kind, nimber, packed):
    """In each couple, every move must have an answer back into the set."""
    games = {"nim": Nim, "cram": Cram, "konane": Konane, "sprouts": Sprouts}
    expect(name in games, f'there are no rules of "{name}" here')
    game, couples = games[name](), {}
    root = game.read(text)
    for data, g in packed.items():
        position = game.unpack(data)
        right = len(position) == 1 and position[0] not in couples
        expect(right, f"couple {data.hex()}: not in one piece, or the same as one before")
        couples[position[0]] = g
    def worth(position):
        known = [couples.get(component) for component in position]
        return None if None in known else reduce(xor, known, 0)
    @lru_cache(None)
    def leads_to(component, wanted):
        return any(worth(option) == wanted for option in game.options(component))
    def differs(position, g):  # it has a worth other than g; or none, and an option worth g
        if worth(position) is not None:
            return worth(position) != g
        rests = (worth(position[:i] + position[i + 1 :]) for i in range(len(position)))
        return any(rest is not None and leads_to(component, g ^ rest)
                   for component, rest in zip(position, rests))
    expect(differs(root, 0) if kind == WIN else worth(root) == nimber, "the claim does not follow")
    if name == "konane":
        expect(kind != NIMBER and not any(couples.values()), "there are no nimbers in this game")
    for (data, g), component in zip(packed.items(), couples):
        for option in game.options(component):
            expect(differs(option, g), f"couple {data.hex()} + *{g}: no answer to {option}")
        for heap in range(g):
            expect(leads_to(component, heap), f"couple {data.hex()} + *{g}: no answer to *{heap}")
    claim = (*CLAIMS, f"nimber {nimber}")[kind]
    return f"{name} {text}: {claim} ({len(packed)} couples)"

class Nim:
    """A component is the size of a heap."""
    def read(self, text):
        expect(re.fullmatch("[0-9]{1,5}(,[0-9]{1,5})*", text), f'"{text}" is no list of heaps')
        return tuple(heap for heap in map(int, text.split(",")) if heap)

    def unpack(self, data):
        expect(len(data) == 2, f"{data.hex()}: not two bytes")
        return self.read(str(int.from_bytes(data, "big")))

    def options(self, heap):
        return (self.read(str(left)) for left in range(heap))

def read_board(text, symbols, other):
    """The squares of a board, and the set of those with one of two symbols, by turns."""
    rows = text.split("|")
    board = {(r, c): symbol for r, row in enumerate(rows) for c, symbol in enumerate(row)}
    right = all(board[square] in (symbols[sum(square) % 2], other) for square in board)
    expect(right and {*map(len, rows)} == {len(rows[0]) or 1}, f'"{text}" is no board')
    return [*board], {square for square in board if board[square] != other}

def read_bits(data, squares):
    bits, size = int.from_bytes(data, "little"), len(squares)
    expect(len(data) == (size + 7) // 8 and bits >> size == 0, f"{data.hex()}: not {size} bits")
    return {square for index, square in enumerate(squares) if bits >> index & 1}

def near(squares):
    return {(r + y, c + x) for r, c in squares for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0))}

def images(squares):
    """The eight ways to lay squares, pushed to the top left, each in the order given."""
    for turn in range(8):
        squares = [(c, r if turn == 4 else -r) for r, c in squares]
        top, left = map(min, zip(*squares))
        yield [(r - top, c - left) for r, c in squares]

class Cram:
    """A component is the least image of a shape, a tuple of free cells."""
    def read(self, text):
        return self.split(read_board(text, "..", "#")[1])

    def unpack(self, data):
        height, width, *_ = (*data, 0, 0)
        position = self.split(read_bits(data[2:], [*product(range(height), range(width))]))
        sizes = [sorted(max(axis) + 1 for axis in zip(*shape)) for shape in position]
        expect(sizes == [[height, width]], f"{data.hex()}: not a shape in its rectangle")
        return position

    def options(self, shape):
        for r, c in shape:
            for other in {(r, c + 1), (r + 1, c)}.intersection(shape):
                yield self.split({*shape} - {(r, c), other})

    def split(self, left):
        position = ()
        while left:
            piece, new = set(), {min(left)}
            while new:
                piece, left = piece | new, left - new
                new = near(new) & left
            if len(piece) > 1:  # a cell alone does not matter
                position += (tuple(min(map(sorted, images(piece)))),)
        return position

class Konane:
    """The one component: the squares with stones, and who is to move, " b" or " w"."""
    def read(self, text):
        self.board, stones = read_board(text[:-2], "xo", ".")  # the root's is the board of all
        self.images = [dict(zip(self.board, image)) for image in images(self.board)
                       if {*image} == {*self.board} and sum(image[0]) % 2 == 0]  # colours stay
        return self.position(stones, text[-2:])

    def unpack(self, data):
        return self.position(read_bits(data[:-1], self.board), " " + data[-1:].decode("latin-1"))

    def position(self, stones, side):
        expect(side == " b" or side == " w" and len(stones) < len(self.board), f"{side} to move")
        return ((min(tuple(sorted(map(image.get, stones))) for image in self.images), side),)

    def options(self, component):
        (stones, side), (h, w) = component, self.board[-1]
        stones, holes = {*stones}, {*self.board}.difference(stones)
        own = {square for square in stones if sum(square) % 2 == (side == " w")}
        taken = near(holes) if len(holes) == 1 and side == " w" else set()  # one beside the first
        if not holes:  # Black takes a stone off the middle or a corner
            middle = product((h // 2, (h + 1) // 2), (w // 2, (w + 1) // 2))
            taken = {*middle, *product((0, h), (0, w))}
        boards = [stones - {square} for square in own & taken] or self.jumps(stones, own, holes)
        return (self.position(board, " b" if side == " w" else " w") for board in boards)

    def jumps(self, stones, own, holes):
        for (r, c), (y, x) in product(own, near({(0, 0)})):
            after = stones - {(r, c)}
            while (r + y, c + x) in stones and (r + 2 * y, c + 2 * x) in holes:
                after.remove((r + y, c + x))
                r, c = r + 2 * y, c + 2 * x
                yield after | {(r, c)}

class Hex:
    """Sets of cells are bits of a number, row by row. Sides are 0 for Black, 1 for White."""
    def read(self, text):
        rows = text[:-2].split("|")
        height, width = len(rows), len(rows[0])
        right = {*text[:-2]} <= {*"xo.|"} and {*map(len, rows)} == {width or 1}
        expect(right and text[-2:] in (" b", " w"), f'"{text}" is no position')
        cells = [*product(range(height), range(width))]
        number = lambda chosen: sum(1 << cells.index(cell) for cell in chosen)
        around = (0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)
        self.near = [number({(r + y, c + x) for y, x in around} & {*cells}) for r, c in cells]
        self.ends = [[number(cell for cell in cells if cell[axis] == end) for end in (0, last)]
                     for axis, last in enumerate((height - 1, width - 1))]
        stones = [number(cell for cell in cells if rows[cell[0]][cell[1]] == colour)
                  for colour in "xo"]
        return self.position(*stones, text[-1])

    def position(self, black, white, side):
        return (black, white, 0) if side == "b" else (white, black, 1)

    def unpack(self, data):
        size, half = len(self.near), len(data) // 2
        stones = [int.from_bytes(part, "little") for part in (data[:half], data[half:-1])]
        right = len(data) == (size + 7) // 8 * 2 + 1 and data[-1:] in (b"b", b"w")
        right = right and stones[0] & stones[1] == 0 and (stones[0] | stones[1]) >> size == 0
        expect(right, f"{data.hex()}: no position")
        return self.position(*stones, chr(data[-1]))

    def options(self, position):
        own, other, side = position
        over = self.has_won(position) or self.has_lost(position)
        for cell in range(0 if over else len(self.near)):
            if not (own | other) >> cell & 1:
                yield other, own | 1 << cell, 1 - side

    def no_better(self, position, than):
        """The player to move has no stone more, the opponent none less."""
        return position[2] == than[2] and not position[0] & ~than[0] and not than[1] & ~position[1]

    def has_won(self, position):
        return self.joins(position[0], position[2])

    def has_lost(self, position):
        return self.joins(position[1], 1 - position[2])

    def joins(self, stones, side):
        first, last = self.ends[side]
        reached, new = 0, stones & first
        while new and not new & last:
            cell = new & -new
            reached, new = reached | cell, new ^ cell
            new |= self.near[cell.bit_length() - 1] & stones & ~reached
        return new != 0

class Sprouts:
    """A component is the form of a land; `drawn` keeps a drawing of it: a list of regions, lists of
    boundaries, tuples of vertices in the order in which one meets them; and the degree of each."""
    drawn = {}
    def unpack(self, data):
        text, tokens = "", re.findall(rb"[\6\7]..|[^\0\6-\17]", data, re.DOTALL)
        expect(b"".join(tokens) == data, f"{data.hex()}: bytes without meaning")
        for code, *wide in tokens:
            name, first = ("a", 0x10) if code < 0x50 and code != 7 else ("A", 0x50)
            letter = name + "~" * (int.from_bytes(wide, "big") if wide else code - first)
            text += "012.|+"[code] if code < 6 else letter if code < 0xC0 else f"0*{code - 0xBF};"
        return self.read(re.sub(";(?=[|+]|$)", "", text).replace(";", ".") + "!")

    def read(self, text):
        expect(not text.isdigit() or text == "0", f'"{text}" is a number of spots, written 0*{text}')
        spots = sum(map(int, re.findall(r"0\*([1-9]\d{0,4})", text)))
        expect(spots <= 10000, f"{spots} spots, more than 10000")  # as many as Bouton takes
        full = re.sub(r"0\*([1-9]\d{0,4})", lambda spots: ".".join("0" * int(spots[1])), text)
        b = "(0|([12]|[A-Za-z]~*)+)"
        expect(re.fullmatch(f"{b}([.|+]{b})*!?|!", full), f'"{text}" is no position')
        drawing, land, vertices, degree, places = [[[]]], 0, {}, {}, defaultdict(list)
        for name in re.findall("[.|+012]|[A-Za-z]~*", full):
            if name in ".|+":
                land += name == "+"
                drawing += [] if name == "." else [[]]
                drawing[-1].append([])
            else:  # lower-case letters are names in a boundary, upper-case letters in a land
                place = (len(drawing), len(drawing[-1]), name in "012" and len(degree))
                v = vertices.setdefault((name, land if name.isupper() else place), len(degree) + 3)
                degree[v] = int(name) if name in "012" else 2
                places[v].append(len(drawing))
                drawing[-1][-1].append(v)
        for (name, _), v in vertices.items():
            expected = 1 if name in "012" else 2, 2 if name.isupper() else 1
            expect((len(places[v]), len({*places[v]})) == expected, f'"{text}": the letter {name}')
        return self.lands(drawing, degree)

    def options(self, form):
        land, degree = self.drawn[form]
        new, times = max(degree) + 1, Counter(chain(*chain(*land)))
        kind = lambda b: tuple(degree[v] if times[v] == 1 else v for v in b)
        for index, region in enumerate(land):
            for ends, parts in self.curves(sorted(region, key=kind), new, kind):
                after = {v: n + ends.count(v) for v, n in [*degree.items(), (new, 2)]}
                if max(after.values()) < 4:
                    yield self.lands(land[:index] + parts + land[index + 1 :], after)

    def curves(self, region, new, kind):
        """Ends of curves, and what they make of a region. Of boundaries alike one will do."""
        for a, b in {(kind(a), kind(b)): (a, b) for a, b in combinations(region, 2)}.values():
            rest = [c for c in region if c not in (a, b)]
            for i, j in product(range(len(a)), range(len(b))):
                joined = a[i:] + a[: i + 1] + (new,) + b[j:] + b[: j + 1] + (new,)
                yield (a[i], b[j]), [rest + [joined]]
        for b in {kind(b): b for b in region}.values():
            alike = [[*same] for _, same in groupby((c for c in region if c != b), kind)]
            for cut in product(*(range(len(same) + 1) for same in alike)):
                left = [c for same, k in zip(alike, cut) for c in same[:k]]
                right = [c for same, k in zip(alike, cut) for c in same[k:]]
                for i, j in combinations_with_replacement(range(len(b)), 2):
                    one, two = b[i : j + 1] + (new,), b[j:] + b[: i + 1] + (new,)
                    yield (b[i], b[j]), [left + [one], right + [two]]

    def lands(self, drawing, degree):
        """The lands of a drawing, without what no longer matters."""
        lands, position = [], ()
        for region in drawing:
            alive = ([v for v, _ in groupby(v for v in b if degree[v] < 3)] for b in region)
            region = [tuple(b[: -1 if b[1:] and b[0] == b[-1] else None]) for b in alive if b]
            vertices = {*chain(*region)}
            lives = sum(3 - degree[v] for v in vertices)
            land = [region if lives > 3 else [tuple(vertices)]]  # then the shape does not matter
            for linked in [other for other in lands if other[0] & vertices and lives > 1]:
                lands.remove(linked)
                vertices, land = vertices | linked[0], land + linked[1]
            lands += [(vertices, land)] if lives > 1 else []
        for vertices, land in lands:
            own, times = {v: degree[v] for v in vertices}, Counter(chain(*chain(*land)))
            form = self.form(land, own, {v: 3 for v in times if times[v] > 1})
            self.drawn.setdefault(form, (land, own))
            position += (form,)
        return position

    def form(self, land, degree, colour, every=True):
        """The least way to write a land, under any names, from any beginnings, sides and orders.
        Vertices that are met twice are numbered by what is around them. If some are alike, each is
        put first in turn; but of those that lead to one form, images of each other, only one."""
        form, around, symbols = [], {v: [] for v in degree}, {**degree, **colour}
        for region in land:
            sides = []
            for way in (1, -1):
                side = [b[::way] for b in region]
                turns = [[[symbols[v] for v in b[i:] + b[:i]] for i in range(len(b))] for b in side]
                sides.append(sorted(map(min, turns)))
                for v, turn in zip(chain(*side), chain(*turns)):
                    around[v].append((turn, sides[-1]))
            form.append(min(sides))
        marks = {v: (colour[v], sorted(around[v])) for v in colour}
        finer = {v: 3 + sum(mark < marks[v] for mark in marks.values()) for v in colour}
        if finer != colour:
            return self.form(land, degree, finer, every)
        alike = min((c for c, n in Counter(colour.values()).items() if n > 1), default=None)
        ways = [{v: c + (c == alike and v != first) for v, c in colour.items()}
                for first in colour if colour[first] == alike]
        if every:
            ways = [*{self.form(land, degree, way, False): way for way in ways}.values()]
        forms = [self.form(land, degree, way, every) for way in ways[: None if every else 1]]
        return min(forms, default=str(sorted(form)))

if __name__ == "__main__":
    failed = len(sys.argv) < 2
    for path in sys.argv[1:]:
        try:
            with open(path, "rb") as file:
                print(f"{path}: verified: {check(file.read())}")
        except (OSError, ValueError) as error:
            failed = True
            print(f"{path}: not verified: {error}")
    sys.exit(failed)
