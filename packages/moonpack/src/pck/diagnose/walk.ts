/**
 * Walks a message item by item, in reading order, with the checks of the closures (codec/read.ts): what they refuse is refused
 * here with the same code at the same byte.
 */
import { DecodeError, pathStep, shifted } from "../../bytes/errors.js";
import {
  bitAt,
  checkDepth,
  type PackReader,
  readBitCount,
  readBits,
  readCount,
  readFlag,
  readIndex,
  refused,
} from "../../bytes/pack-reader.js";
import { keyStep } from "../../bytes/pack-writer.js";
import { absenceOf, absentValueOf } from "../codec/presence.js";
import { DecoderCompiler } from "../codec/read.js";
import type { CodecSettings } from "../codec/settings.js";
import { comparisonOf } from "../codec/write.js";
import { type Member, minBytesOf, type Node, type Struct, type UnionNode } from "../model/model.js";
import { counted, type Diagnosis, formatOf, meaningOf } from "./item.js";

/** Items, and walks whose items come in their place. */
type Walk = Generator<Diagnosis | Walk, void, undefined>;

/** Where an item lies: `depth` counts what a dump shows around it, `level` what counts for the limit. */
interface Place {
  readonly path: string;
  readonly depth: number;
  readonly level: number;
  readonly role: "value" | "key";
  /** Its first byte, where something has been read of it: a length, a flag. */
  readonly start: number;
}

/** What stands for a list or map that is not empty, where only that counts. */
const SOME_LIST: readonly unknown[] = [0];
const SOME_MAP: ReadonlyMap<unknown, unknown> = /* @__PURE__ */ new Map([[0, 0]]);

/** A message that lies in something else: where it begins there, and what is before its first item. */
export interface Setting {
  /** Added to every offset. */
  readonly base: number;
  readonly path: string;
  readonly depth: number;
  /** Bytes before the message that belong to its first item, such as its length. */
  readonly before: number;
  /** What is said of the message itself. */
  readonly format: string;
  readonly meaning: string;
}

/** The items of one message, which is all that `r` has. The last one carries the error, if there is one. */
export function* walkMessage(
  r: PackReader,
  root: Struct,
  settings: CodecSettings,
  setting: Setting,
): Generator<Diagnosis, void, undefined> {
  const { base, before } = setting;
  const walker = new Walker(r, settings, setting);
  let last = -before;
  try {
    for (const item of unfolded(walker.message(root, setting))) {
      last = Math.max(last, item.end);
      yield { ...item, offset: item.offset + base, end: item.end + base };
    }
    if (r.pos < r.end) throw refused("ERR_TRAILING_BYTES", `${counted(r.end - r.pos, "byte")} left over`, r.pos);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { path, depth } = walker;
    const place = { path, depth, role: "value" } as const;
    const { offset } = error;
    // Of an item that breaks in its middle, what had been read.
    if (offset > last) {
      yield { ...place, offset: last + base, end: offset + base, format: "begun", meaning: "the item that breaks" };
    }
    const end = Math.max(offset, r.end) + base;
    const fault = shifted(error, base);
    yield { ...place, offset: offset + base, end, format: "broken", meaning: fault.message, error: fault };
  }
}

/** All items of a walk and of those in it, without recursion: values may be nested 4,096 deep. */
function* unfolded(walk: Walk): Generator<Diagnosis, void, undefined> {
  const open: Walk[] = [walk];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { done, value } = top.next();
    if (done === true) open.pop();
    else if ("offset" in value) yield value;
    else open.push(value);
  }
}

/** A walk over one message. */
class Walker {
  /** Where the item lies that is being read. */
  path: string;
  depth: number;
  readonly #r: PackReader;
  readonly #settings: CodecSettings;
  readonly #scalars: DecoderCompiler;
  /** The value that was walked last; of a list or map, one that is as empty. */
  #value: unknown;

  constructor(r: PackReader, settings: CodecSettings, { path, depth }: Setting) {
    this.#r = r;
    this.#settings = settings;
    this.#scalars = new DecoderCompiler(settings);
    this.path = path;
    this.depth = depth;
  }

  /** The root and all that is in it. */
  message(root: Struct, { path, depth, before, format, meaning }: Setting): Walk {
    return this.#struct(root, { path, depth, level: 1, role: "value", start: -before }, format, meaning);
  }

  #item(place: Place, format: string, meaning: string, offset = place.start): Diagnosis {
    const { path, depth, role } = place;
    return { offset, end: this.#r.pos, depth, path, role, format, meaning };
  }

  /** A bit, which lies in bytes that have been shown. */
  #bit(place: Place, start: number, i: number, kind: string, meaning: string): Diagnosis {
    const offset = start + (i >> 3);
    return { ...this.#item(place, `${kind} bit ${i & 7}`, meaning), offset, end: offset };
  }

  /** A value at `place`. */
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
        // As a map's value: a flag, which is shown with what follows it.
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
      if (absenceOf(member, this.#settings)(this.#value)) {
        throw refused("ERR_NOT_CANONICAL", "a field that is present and means absent", pos);
      }
    }
    this.#value = struct; // anything that is not empty
  }

  *#union({ arms }: UnionNode, place: Place): Walk {
    checkDepth(this.#r, place.level);
    const { name, struct } = arms[readIndex(this.#r, arms.length)]!;
    yield this.#struct(struct, place, "union", `${name} (${titleOf(struct)})`);
  }

  *#array(node: Node & { readonly kind: "array" }, place: Place): Walk {
    const r = this.#r;
    const { element, length } = node;
    const isInBits = element.kind === "bool" || element.kind === "nullable";
    checkDepth(r, place.level);
    const min = isInBits ? 0 : minBytesOf(element);
    const count = length !== 0 ? length : isInBits ? readBitCount(r) : readCount(r, min);
    const owedEach = length === 0 ? min : 0;
    const bits = isInBits ? readBits(r, count) : 0;
    yield this.#item(place, formatOf(node), `list of ${count}`);
    r.owed += count * owedEach;
    for (let i = 0; i < count; i++) {
      r.owed -= owedEach;
      const inside = this.#inside(place, `[${i}]`);
      if (element.kind === "bool") yield this.#bit(inside, bits, i, "bool", String(bitAt(r, bits, i)));
      else if (element.kind !== "nullable") yield this.#node(element, inside);
      else if (bitAt(r, bits, i)) yield this.#node(element.value, inside);
      else yield this.#bit(inside, bits, i, "absent", "null");
    }
    this.#value = count === 0 ? [] : SOME_LIST;
  }

  *#map(node: Node & { readonly kind: "map" }, place: Place): Walk {
    const r = this.#r;
    checkDepth(r, place.level);
    const getKey = this.#scalars.get(node.key);
    const compare = comparisonOf(node.key);
    const min = minBytesOf(node.key) + minBytesOf(node.value);
    const count = readCount(r, min);
    yield this.#item(place, "map", `map of ${count}`);
    r.owed += count * min;
    let last: unknown;
    for (let i = 0; i < count; i++) {
      r.owed -= min;
      const key = this.#inside(place, "");
      this.path = place.path;
      this.depth = key.depth;
      const value = getKey(r, place.level);
      if (i > 0 && compare(last, value) >= 0) throw refused("ERR_MAP_ORDER", "keys that do not ascend", key.start);
      last = value;
      yield this.#item({ ...key, role: "key" }, formatOf(node.key), meaningOf(value));
      yield this.#node(node.value, this.#inside(place, keyStep(value)));
    }
    this.#value = count === 0 ? new Map() : SOME_MAP;
  }

  /** What begins here, one step below `place`. */
  #inside({ path, depth, level }: Place, step: string): Place {
    return { path: path + step, depth: depth + 1, level, role: "value", start: this.#r.pos };
  }
}

/** What a struct is called. */
export function titleOf({ name, members }: Struct): string {
  return name === "" ? `struct of ${counted(members.length, "field")}` : name;
}
