/**
 * Writing containers with a stack on the heap: what is nested deeper than recursion may go (512 levels, only when
 * `maxDepth` was raised), what options change (`canonical`, `fidelity`), Maps, and objects of other realms. Slower than
 * write.ts, as strict, and its bytes are the same.
 */
import { Failure, PAUSE } from "./failure.js";
import type { MessageWriter } from "./write.js";
import { extensionOf, isPlain, replacerOf, writeExtension } from "./write-other.js";

/** A map's key that was encoded already, to be sorted by. */
class EncodedKey {
  readonly key: unknown;
  readonly bytes: Uint8Array;
  constructor(key: unknown, bytes: Uint8Array) {
    this.key = key;
    this.bytes = bytes;
  }
}

/** One open container. */
export class WriteLevel {
  readonly holder: unknown;
  /** Elements, or keys and values in turn. */
  readonly items: readonly unknown[];
  /** How many of them: what the header says, whatever user code does to an array meanwhile. */
  readonly count: number;
  readonly isMap: boolean;
  /** Where the container begins, and the extension that it is the data of; -1 for none. */
  readonly start: number;
  readonly type: number;
  next = 0;

  constructor(w: MessageWriter, holder: unknown, items: readonly unknown[], isMap: boolean, type = -1) {
    w.open(holder);
    w.room(5);
    this.holder = holder;
    this.items = items;
    this.count = items.length;
    this.isMap = isMap;
    this.start = w.pos;
    this.type = type;
    if (isMap) w.mapHeader(this.count / 2);
    else w.arrayHeader(this.count);
  }

  /** The key of the item that was taken last. */
  key(): unknown {
    const last = this.next - 1;
    const key = this.isMap ? this.items[last - (last % 2)] : last;
    return key instanceof EncodedKey ? key.key : key;
  }

  /** An extension's length is known only now: its header goes in front of its data, which move by 2 to 6 bytes. */
  close(w: MessageWriter): void {
    w.close();
    if (this.type < 0) return;
    const data = w.bytes.slice(this.start, w.pos);
    w.pos = this.start;
    writeExtension(w, this.type, data);
  }
}

/** Writes a container of any kind; false when the value is none, and nothing was written. */
export function writeLevels(w: MessageWriter, value: unknown): boolean {
  const level = levelOf(w, value);
  if (level === null) return false;
  writeOpen(w, [level]);
  return true;
}

/** Writes what is left of containers that are open, outermost first. */
export function writeOpen(w: MessageWriter, levels: WriteLevel[]): void {
  try {
    for (let level = nextLevel(w, levels); level !== null; level = nextLevel(w, levels)) levels.push(level);
  } catch (error) {
    if (error === PAUSE) throw w.pausing!.levels(levels);
    let failure: unknown = error;
    for (let level = levels.pop(); level !== undefined; level = levels.pop()) {
      failure = Failure.at(failure, level.key(), level.holder);
    }
    throw failure;
  }
}

/** Writes on until a container begins; null when all is written. */
function nextLevel(w: MessageWriter, levels: WriteLevel[]): WriteLevel | null {
  for (let top = levels.at(-1); top !== undefined; top = levels.at(-1)) {
    if (top.next === top.count) {
      top.close(w);
      levels.pop();
      continue;
    }
    const i = top.next++;
    const item = top.items[i];
    if (item instanceof EncodedKey) w.raw(item.bytes);
    else if (item === undefined && !top.isMap) w.element(top.items, i);
    else {
      const level = typeof item === "object" && item !== null && !w.isPlain(item) ? levelOf(w, item) : null;
      if (level !== null) return level;
      w.write(item);
    }
  }
  return null;
}

/** Opens the container that the value is, as the options see it; null when it is none. */
function levelOf(w: MessageWriter, value: unknown): WriteLevel | null {
  const { json, js } = w.settings;
  if (typeof value !== "object" || value === null) return presetLevel(w, value);
  if (!json && (extensionOf(w, value) !== undefined || replacerOf(value) !== undefined)) return null;
  if (Array.isArray(value)) return new WriteLevel(w, value, json ? jsonElements(value) : value, false);
  if (json) return pairsLevel(w, value, entriesOf(value, true, toJsonValue));
  if (isPlain(value)) return pairsLevel(w, value, entriesOf(value, js === null));
  return presetLevel(w, value) ?? (isMap(value) ? pairsLevel(w, value, [...value]) : null);
}

/** A Map of this realm, or of another that has its methods. */
function isMap(value: object): value is Map<unknown, unknown> {
  return value instanceof Map || Object.prototype.toString.call(value) === "[object Map]";
}

function presetLevel(w: MessageWriter, value: unknown): WriteLevel | null {
  const parts = w.settings.js?.toParts(value);
  if (parts === undefined) return null;
  const { data } = parts;
  if (!w.settings.canonical || parts.isPairs !== true) return new WriteLevel(w, value, data, false, parts.type);
  const entries = data.flatMap((key, i): [unknown, unknown][] => (i % 2 === 0 ? [[key, data[i + 1]]] : []));
  return new WriteLevel(w, value, sorted(w, value, entries).flat(1), false, parts.type);
}

function pairsLevel(w: MessageWriter, holder: object, entries: readonly (readonly [unknown, unknown])[]): WriteLevel {
  return new WriteLevel(w, holder, (w.settings.canonical ? sorted(w, holder, entries) : entries).flat(1), true);
}

/**
 * Own enumerable string keys and their values, as `see` sees them; undefined ones left out if wanted. Object.keys knows
 * own keys only, so what somebody put on Object.prototype stays out.
 */
export function entriesOf(object: object, dropsUndefined: boolean, see = asIs): [string, unknown][] {
  const entries: [string, unknown][] = [];
  let key = "";
  try {
    for (key of Object.keys(object)) {
      const value = see((object as Record<string, unknown>)[key], key);
      if (value !== undefined || !dropsUndefined) entries.push([key, value]);
    }
  } catch (error) {
    throw Failure.at(error, key, object);
  }
  return entries;
}

function asIs(value: unknown, _key: string | number): unknown {
  return value;
}

/** `canonical`: pairs in the order of their keys' bytes, as unsigned numbers; two keys of the same bytes are refused. */
function sorted(
  w: MessageWriter,
  holder: unknown,
  entries: readonly (readonly [unknown, unknown])[],
): [EncodedKey, unknown][] {
  const start = w.pos;
  const { mayPause } = w;
  w.mayPause = false;
  const pairs = entries.map(([key, value]): [EncodedKey, unknown] => {
    try {
      w.write(key);
    } catch (error) {
      throw Failure.at(error, key, holder);
    }
    const bytes = w.bytes.slice(start, w.pos);
    w.pos = start;
    return [new EncodedKey(key, bytes), value];
  });
  w.mayPause = mayPause;
  pairs.sort(([a], [b]) => compareBytes(a.bytes, b.bytes));
  pairs.forEach(([{ key, bytes }], i) => {
    if (i > 0 && compareBytes(bytes, pairs[i - 1]![0].bytes) === 0) {
      throw Failure.at(new Failure("ERR_DUPLICATE_KEY", "two keys have the same bytes"), key, holder);
    }
  });
  return pairs;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

function jsonElements(array: readonly unknown[]): unknown[] {
  const elements: unknown[] = [];
  for (let i = 0; i < array.length; i++) {
    try {
      elements.push(toJsonValue(array[i], i) ?? null);
    } catch (error) {
      throw Failure.at(error, i, array);
    }
  }
  return elements;
}

/**
 * `fidelity: "json"`: what JSON.stringify sees of a value (ECMA-262, SerializeJSONProperty): toJSON asked, boxed
 * primitives opened, undefined for what it drops.
 */
export function toJsonValue(value: unknown, key: string | number): unknown {
  if ((typeof value === "object" && value !== null) || typeof value === "bigint" || typeof value === "function") {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === "function" && toJSON !== (Object.prototype as { toJSON?: unknown }).toJSON) {
      value = toJSON.call(value, String(key));
    }
  }
  if (value instanceof Number) value = Number(value);
  else if (value instanceof String) value = String(value);
  else if (value instanceof Boolean || value instanceof BigInt) value = value.valueOf();
  if (typeof value === "bigint") throw new Failure("ERR_UNSUPPORTED_TYPE", "JSON has no form for a bigint");
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null; // JSON has no -0 either
  return typeof value === "function" || typeof value === "symbol" ? undefined : value;
}
