/**
 * Walks a message item by item, in the order of its bytes, with the checks of the decoders (closures/read.ts): the walk
 * ends with the error that they throw, at the same byte.
 */
import { DecodeError, pathStep, shifted } from "moonpack/bytes";
import { absenceOf, absentValueOf } from "../closures/absence.js";
import { comparisonOf } from "../closures/comparison.js";
import { DecoderCompiler } from "../closures/read.js";
import {
  isInBits,
  type ListNode,
  type MapNode,
  type Member,
  minBytesOf,
  type Node,
  type Struct,
  type UnionNode,
} from "../model/model.js";
import {
  bitAt,
  checkDepth,
  notAscending,
  notCanonical,
  type PackReader,
  readBitCount,
  readBits,
  readCount,
  readFlag,
  readIndex,
  refused,
} from "../runtime/reader.js";
import { keyStep } from "../runtime/writer.js";
import type { CodecSettings } from "../settings.js";
import { counted, type Diagnosis, formatOf, meaningOf } from "./item.js";

/** Yields items, and walks whose items take their place. */
type Walk = Generator<Diagnosis | Walk, void, undefined>;

/** The place of an item. */
interface Place {
  readonly path: string;
  /** Depth in the dump. */
  readonly depth: number;
  /** Depth that counts towards `maxDepth`. */
  readonly level: number;
  readonly role: "value" | "key";
  /** First byte of the item; its length or flag may have been read already. */
  readonly start: number;
}

/** Stand for any list or map that is not empty: only the absence test of a field looks at them. */
const SOME_LIST: readonly unknown[] = [0];
const SOME_MAP: ReadonlyMap<unknown, unknown> = /* @__PURE__ */ new Map([[0, 0]]);

/** The surroundings of a message: a frame, or a container. */
export interface MessageFrame {
  /** Offset of the message, which is added to every offset. */
  readonly base: number;
  /** Path of the message. */
  readonly path: string;
  /** Depth of the message in the dump. */
  readonly depth: number;
  /** Bytes before the message that belong to its first item, such as a length. */
  readonly before: number;
  /** Format of the message's first item. */
  readonly format: string;
  /** Meaning of the message's first item. */
  readonly meaning: string;
}

/**
 * Yields the items of one message, which is all bytes of `r`. For a broken message, the last item carries the error.
 */
export function* walkMessage(
  r: PackReader,
  root: Struct,
  settings: CodecSettings,
  frame: MessageFrame,
): Generator<Diagnosis, void, undefined> {
  const { base, before } = frame;
  const walker = new Walker(r, settings, frame);
  let last = -before;
  try {
    for (const item of unfolded(walker.message(root, frame))) {
      last = Math.max(last, item.end);
      yield { ...item, offset: item.offset + base, end: item.end + base };
    }
    if (r.pos < r.end) throw refused("ERR_TRAILING_BYTES", `${counted(r.end - r.pos, "byte")} left over`, r.pos);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { path, depth } = walker;
    const place = { path, depth, role: "value" } as const;
    const { offset } = error;
    // The part of an item that was read before the error in its middle.
    if (offset > last) {
      yield { ...place, offset: last + base, end: offset + base, format: "begun", meaning: "the item that breaks" };
    }
    const end = Math.max(offset, r.end) + base;
    const fault = shifted(error, base);
    yield { ...place, offset: offset + base, end, format: "broken", meaning: fault.message, error: fault };
  }
}

/** Yields all items of a walk and of the walks in it. Without recursion: values may be nested 4,096 deep. */
function* unfolded(walk: Walk): Generator<Diagnosis, void, undefined> {
  const open: Walk[] = [walk];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { done, value } = top.next();
    if (done === true) open.pop();
    else if (isItem(value)) yield value;
    else open.push(value);
  }
}

/** True for an item. A walk has no own `offset`, but may inherit one from a polluted Object.prototype. */
function isItem(value: Diagnosis | Walk): value is Diagnosis {
  return Object.hasOwn(value, "offset");
}

/** Walks one message. */
class Walker {
  /** Path of the item that is being read. */
  path: string;
  /** Depth of the item that is being read. */
  depth: number;
  readonly #r: PackReader;
  readonly #settings: CodecSettings;
  readonly #scalars: DecoderCompiler;
  /** The last value; for a list or map, a stand-in that is empty if it is. */
  #value: unknown;

  constructor(r: PackReader, settings: CodecSettings, { path, depth }: MessageFrame) {
    this.#r = r;
    this.#settings = settings;
    this.#scalars = new DecoderCompiler(settings);
    this.path = path;
    this.depth = depth;
  }

  /** Walks the root and its content. */
  message(root: Struct, { path, depth, before, format, meaning }: MessageFrame): Walk {
    return this.#struct(root, { path, depth, level: 1, role: "value", start: -before }, format, meaning);
  }

  #item(place: Place, format: string, meaning: string, offset = place.start): Diagnosis {
    const { path, depth, role } = place;
    return { offset, end: this.#r.pos, depth, path, role, format, meaning };
  }

  /** Returns the item of a bit, whose byte was an item already. */
  #bit(place: Place, start: number, i: number, kind: string, meaning: string): Diagnosis {
    const offset = start + (i >> 3);
    return { ...this.#item(place, `${kind} bit ${i & 7}`, meaning), offset, end: offset };
  }

  /** Walks a value. */
  *#node(node: Node, place: Place): Walk {
    const r = this.#r;
    this.path = place.path;
    this.depth = place.depth;
    switch (node.kind) {
      case "ref": {
        const { struct } = node;
        yield this.#struct(struct, { ...place, level: place.level + 1 }, "struct", titleOf(struct));
        return;
      }
      case "union":
        yield this.#union(node, { ...place, level: place.level + 1 });
        return;
      case "array":
        yield this.#array(node, { ...place, level: place.level + 1 });
        return;
      case "map":
        yield this.#map(node, { ...place, level: place.level + 1 });
        return;
      case "nullable":
        // A map value: its flag is part of the item that follows.
        if (readFlag(r)) yield this.#node(node.value, place);
        else yield this.#item(place, formatOf(node), "null");
        return;
      default:
        this.#value = this.#scalars.get(node)(r, place.level);
        yield this.#item(place, formatOf(node), meaningOf(this.#value));
    }
  }

  *#struct(struct: Struct, place: Place, format: string, meaning: string): Walk {
    const r = this.#r;
    const { optionals, bools } = struct;
    checkDepth(r, place.level);
    const bits = optionals.length + bools.length;
    const start = bits === 0 ? r.pos : readBits(r, bits);
    yield this.#item(place, format, meaning);
    const inside = (member: Member): Place => ({
      path: place.path + pathStep(member.name),
      depth: place.depth + 1,
      level: place.level,
      role: "value",
      start: r.pos,
    });
    for (const [i, member] of optionals.entries()) {
      if (bitAt(r, start, i)) continue;
      const absent = absentValueOf(member, this.#settings)();
      yield this.#bit(inside(member), start, i, "absent", `read as ${meaningOf(absent)}`);
    }
    for (const [i, member] of bools.entries()) {
      const bit = optionals.length + i;
      yield this.#bit(inside(member), start, bit, "bool", String(bitAt(r, start, bit)));
    }
    for (const member of struct.fixed) yield this.#node(member.type, inside(member));
    for (const member of struct.dynamic) yield this.#node(member.type, inside(member));
    for (const [i, member] of optionals.entries()) {
      if (!bitAt(r, start, i)) continue;
      const { pos } = r;
      yield this.#node(member.type, inside(member));
      this.path = place.path + pathStep(member.name);
      if (absenceOf(member, this.#settings)(this.#value)) throw notCanonical(pos);
    }
    this.#value = struct; // stands for a value that is not empty
  }

  *#union({ arms }: UnionNode, place: Place): Walk {
    checkDepth(this.#r, place.level);
    const { name, struct } = arms[readIndex(this.#r, arms.length)]!;
    yield this.#struct(struct, place, "union", `${name} (${titleOf(struct)})`);
  }

  *#array(node: ListNode, place: Place): Walk {
    const r = this.#r;
    const { element, length } = node;
    const hasBits = isInBits(element);
    checkDepth(r, place.level);
    const min = hasBits ? 0 : minBytesOf(element);
    const count = length !== 0 ? length : hasBits ? readBitCount(r) : readCount(r, min, 0);
    const reservedEach = length === 0 ? min : 0;
    const bits = hasBits ? readBits(r, count) : 0;
    yield this.#item(place, formatOf(node), `list of ${count}`);
    r.reserved += count * reservedEach;
    for (let i = 0; i < count; i++) {
      r.reserved -= reservedEach;
      const inside = this.#inside(place, `[${i}]`);
      if (element.kind === "bool") yield this.#bit(inside, bits, i, "bool", String(bitAt(r, bits, i)));
      else if (element.kind !== "nullable") yield this.#node(element, inside);
      else if (bitAt(r, bits, i)) yield this.#node(element.value, inside);
      else yield this.#bit(inside, bits, i, "absent", "null");
    }
    this.#value = count === 0 ? [] : SOME_LIST;
  }

  *#map(node: MapNode, place: Place): Walk {
    const r = this.#r;
    checkDepth(r, place.level);
    const getKey = this.#scalars.get(node.key);
    const compare = comparisonOf(node.key);
    const min = minBytesOf(node.key) + minBytesOf(node.value);
    const count = readCount(r, min, 0);
    yield this.#item(place, "map", `map of ${count}`);
    r.reserved += count * min;
    let last: unknown;
    for (let i = 0; i < count; i++) {
      r.reserved -= min;
      const key = this.#inside(place, "");
      this.path = place.path;
      this.depth = key.depth;
      const value = getKey(r, place.level);
      if (i > 0 && compare(last, value) >= 0) throw notAscending(key.start);
      last = value;
      yield this.#item({ ...key, role: "key" }, formatOf(node.key), meaningOf(value));
      yield this.#node(node.value, this.#inside(place, keyStep(value)));
    }
    this.#value = count === 0 ? new Map() : SOME_MAP;
  }

  /** Returns the place of the item at the cursor, one step below `place`. */
  #inside({ path, depth, level }: Place, step: string): Place {
    return { path: path + step, depth: depth + 1, level, role: "value", start: this.#r.pos };
  }
}

/** Returns the name of a struct as text. */
export function titleOf({ name, members }: Struct): string {
  return name === "" ? `struct of ${counted(members.length, "field")}` : name;
}
