/** Vectors of pages that readers refuse. All but the first have a checksum that is right: the damage is in what it covers. */
import { type Bytes, fixed, float64, hexOf } from "../bytes.ts";
import { craftPageBody, type PageParts, sealPage } from "../crafted.ts";
import { encodePageKey } from "../page-key.ts";
import { uvar, zig } from "../varint.ts";
import type { Vector } from "./notation.ts";

const KEY = encodePageKey({ minute: 28_333_320, group: 2 });
/** One point at the start. */
const ONE_TIME = [0, 1, 0];
const ZERO = [0x00, 0x00];
const MINUTE = 60_000;
const HOUR = 3_600_000;

type Cause =
  | "ERR_INVALID_BYTE"
  | "ERR_INVALID_PADDING"
  | "ERR_NOT_SHORTEST"
  | "ERR_OUT_OF_RANGE"
  | "ERR_TRAILING_BYTES"
  | "ERR_TRUNCATED";

function vector(name: string, cause: Cause, bytes: Bytes): Vector {
  return { name, kind: "page", key: hexOf(KEY), bytes: hexOf(bytes), cause };
}

/** The page of one point, with some parts replaced. */
function page(name: string, cause: Cause, parts: Partial<PageParts>): Vector {
  return vector(name, cause, sealPage(KEY, craftPageBody({ columns: [ONE_TIME], slots: [ZERO], ...parts })));
}

/** A page whose time column is this; its values are all 0. */
function times(name: string, cause: Cause, column: Bytes, span = 1): Vector {
  return page(name, cause, { span, columns: [column] });
}

/** A page of four points with this value block. */
function values(name: string, cause: Cause, block: Bytes): Vector {
  return page(name, cause, { columns: [[0, 4, 0, 1]], slots: [block] });
}

function outerVectors(): Vector[] {
  const right = sealPage(KEY, craftPageBody({ columns: [ONE_TIME], slots: [ZERO] }));
  const wrong = right.with(-1, right.at(-1)! ^ 1);
  return [
    vector("a wrong checksum", "ERR_INVALID_BYTE", wrong),
    vector(
      "the page of another key",
      "ERR_INVALID_BYTE",
      sealPage([...KEY.slice(0, 7), KEY[7]! ^ 1], right.slice(0, -4)),
    ),
    vector("no bytes", "ERR_TRUNCATED", []),
    vector("a checksum only", "ERR_TRUNCATED", sealPage(KEY, [])),
    page("version 0", "ERR_INVALID_BYTE", { version: 0 }),
    page("version 2", "ERR_INVALID_BYTE", { version: 2 }),
    page("a span of 0 minutes", "ERR_INVALID_BYTE", { span: 0 }),
    page("a span of 2 minutes", "ERR_INVALID_BYTE", { span: 2 }),
    page("no slot", "ERR_OUT_OF_RANGE", { present: 0, slots: [] }),
    page("no column", "ERR_OUT_OF_RANGE", { columns: [] }),
    page("17 columns", "ERR_OUT_OF_RANGE", { columns: new Array<Bytes>(17).fill(ONE_TIME) }),
    page("a column that does not exist", "ERR_OUT_OF_RANGE", {
      present: 0b111,
      columns: [ONE_TIME, [0, 1, 1]],
      slots: [
        [0, ...ZERO],
        [1, ...ZERO],
        [2, ...ZERO],
      ],
    }),
    page("a column before the one that is first in order", "ERR_OUT_OF_RANGE", {
      present: 0b11,
      columns: [ONE_TIME, [0, 1, 1]],
      slots: [
        [1, ...ZERO],
        [0, ...ZERO],
      ],
    }),
    page("a column that no slot uses", "ERR_OUT_OF_RANGE", {
      columns: [ONE_TIME, [0, 1, 1]],
      slots: [[0, ...ZERO]],
    }),
    page("a slot that is missing", "ERR_TRUNCATED", { present: 0b11 }),
    page("a slot too many", "ERR_TRAILING_BYTES", { slots: [ZERO, ZERO] }),
  ];
}

function timeVectors(): Vector[] {
  const range = (name: string, column: Bytes, span = 1) => times(name, "ERR_OUT_OF_RANGE", column, span);
  const padding = (name: string, column: Bytes) => times(name, "ERR_INVALID_PADDING", column);
  return [
    range("a column of kind 4", [4, 2, 0, 1]),
    range("a column without times", [0, 0, 0]),
    range("60,001 times in a minute", [0, ...uvar(MINUTE + 1), 0, 1]),
    range("3,600,001 times in an hour", [0, ...uvar(HOUR + 1), 0, 1], 60),
    range("a first time after the minute", [0, 1, ...uvar(MINUTE)]),
    range("a first time after the hour", [0, 1, ...uvar(HOUR)], 60),
    range("one time as a bitmap", [1, 1, 0]),
    range("a divisor of 0", [0, 2, 0, 0]),
    range("a grid that leaves the minute", [0, 2, 1, ...uvar(MINUTE - 1)]),
    range("a bitmap with fewer slots than times", [1, 3, 0, 1, 2, 0x03]),
    range("a bitmap that leaves the minute", [1, 2, 0, ...uvar(MINUTE / 2), 3, 0x05]),
    range("a bitmap with more bits than times", [1, 3, 0, 1, 5, 0x1b]),
    range("a bitmap with fewer bits than times", [1, 4, 0, 1, 5, 0x13]),
    range("a bitmap that does not begin with a time", [1, 3, 0, 1, 5, 0x1a]),
    range("a bitmap that does not end with a time", [1, 3, 0, 1, 5, 0x0b]),
    padding("a bit after the bitmap", [1, 3, 0, 1, 5, 0x93]),
    range("a gap of 0", [2, 3, 0, 1, ...zig(0n), 1, 0x02]),
    range("a gap below 0", [2, 3, 0, 1, ...zig(-1n), 2, 0x0c]),
    range("gaps that leave the minute", [2, 3, 0, 1, ...zig(30_000n), 0]),
    range("a gap that is valid modulo 2^32", [2, 3, 0, 1, ...zig(2n ** 32n + 5n), 0]),
    range("gaps of 55 bits", [2, 3, 0, 1, ...zig(1n), 55, ...new Array<number>(14).fill(0)]),
    padding("a bit after the gaps", [2, 3, 0, 1, ...zig(1n), 1, 0x05]),
    range("deltas whose first gap is 0", [3, 2, 0, 1, 0]),
    range("deltas that lead to a gap of 0", [3, 3, 0, 1, 1, 0x1d]),
    range("deltas whose first gap leaves the minute", [3, 3, 0, 1, ...uvar(MINUTE), 0x00]),
    range("deltas that leave the minute", [3, 3, 0, 1, ...uvar(MINUTE / 2), 0x00]),
    padding("a bit after the deltas", [3, 3, 0, 1, 1, 0x02]),
  ];
}

function valueVectors(): Vector[] {
  const head = (block: Bytes) =>
    values(`a block that begins with ${hexOf(block.slice(0, 1))}`, "ERR_INVALID_BYTE", block);
  const scale = (byte: number) => values(`a scale of ${hexOf([byte])}`, "ERR_INVALID_BYTE", [0x08, byte, 0]);
  const range = (name: string, block: Bytes) => values(name, "ERR_OUT_OF_RANGE", block);
  const xor = (name: string, cause: Cause, run: Bytes) => values(name, cause, [0x04, ...float64(1), ...run]);
  const zeros = new Array<number>(40).fill(0);
  return [
    ...[0x05, 0x06, 0x07, 0x16, 0x17, 0x20, 0x40, 0x80].map((byte) => head([byte, 0])),
    head([0x0c, 0x01, ...float64(1), 0]),
    head([0x18, 0x01, 0]),
    ...[0x00, 0x30, 0x80].map(scale),
    values("a constant in two bytes, where one would do", "ERR_NOT_SHORTEST", [0x00, 0x80, 0x00]),
    range("an integer above 2^53", [0x00, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]),
    range("an integer of nine bytes", [0x00, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]),
    range("a run that is longer than the block", [0x01, ...zig(0n), 4]),
    range("FOR of 55 bits", [0x02, ...zig(0n), 55, ...zeros]),
    values("a bit after FOR", "ERR_INVALID_PADDING", [0x02, ...zig(0n), 1, 0x15]),
    range("differences of 55 bits", [0x03, ...zig(0n), ...zig(0n), 55, ...zeros]),
    range("a residual of 128", [0x08, 0x21, ...zig(1n), ...zig(127n), 1, 0x02]),
    range("a residual of -128", [0x08, 0x21, ...zig(1n), ...zig(-128n), 0]),
    range("a residual that is valid modulo 2^32", [0x08, 0x21, ...zig(1n), ...zig(2n ** 32n), 0]),
    range("a list of no specials", [0x08, 0x40, ...zig(1n), 0]),
    range("more specials than values", [0x08, 0x40, ...zig(1n), 5, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0]),
    range("a special after the block", [0x08, 0x40, ...zig(1n), 1, 4, 0]),
    range("two specials at one position", [0x08, 0x40, ...zig(1n), 2, 1, 0, 0, 0]),
    range("a special of kind 4", [0x08, 0x40, ...zig(1n), 1, 0, 4]),
    xor("XOR of 65 bits", "ERR_OUT_OF_RANGE", [65, 0, ...zeros]),
    xor("XOR of bits beyond 64", "ERR_OUT_OF_RANGE", [33, 32, ...zeros]),
    xor("XOR with a bitmap of no changes", "ERR_INVALID_BYTE", [0x80]),
    xor("a bit after the bitmap of XOR", "ERR_INVALID_PADDING", [0x81, 0, 0x09, 0x01]),
    xor("a bit after the changes of XOR", "ERR_INVALID_PADDING", [1, 0, 0x0f]),
    range("int64 differences of 55 bits", [0x15, ...fixed(2n ** 60n, 8), ...zig(0n), 55, ...zeros]),
  ];
}

export function damagedPages(): Vector[] {
  return [...outerVectors(), ...timeVectors(), ...valueVectors()];
}
