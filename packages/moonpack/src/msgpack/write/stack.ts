/**
 * Writes containers with a stack on the heap, for all cases that the recursion in message.ts does not handle: containers
 * below 512 levels (possible if `maxDepth` is raised), the options `canonical` and `fidelity`, Maps, and objects of other
 * realms. Slower than the recursion, with the same checks and bytes.
 */
import { Failure } from "../../bytes/failure.js";
import { extensionOf } from "../extension-table.js";
import { EncodedKey, type Entry, sortedKeys } from "./canonical.js";
import { isMap, isPlainObject, replacerOf } from "./classify.js";
import { writeExtension } from "./extension.js";
import { NO_LENGTH, PAUSE } from "./failure.js";
import { jsonElements, toJsonValue } from "./json.js";
import type { MessageWriter } from "./message.js";
import { propertyEntries } from "./properties.js";

/** A container whose header and some of whose items are written. */
export class OpenContainer {
  readonly holder: unknown;
  /** Elements, or keys and values in turn. */
  readonly items: readonly unknown[];
  /** The number of items in the header. User code may change the array later; the count stays. */
  readonly count: number;
  readonly isMap: boolean;
  /** The start of the container. */
  readonly start: number;
  /** The type of the extension that has this container as data; -1 if there is none. */
  readonly type: number;
  next = 0;

  constructor(w: MessageWriter, holder: unknown, items: readonly unknown[], isMap: boolean, type = -1) {
    w.open(holder);
    w.room(5);
    const count = items.length;
    if (count >>> 0 !== count) throw new Failure("ERR_OUT_OF_RANGE", NO_LENGTH);
    this.holder = holder;
    this.items = items;
    this.count = count;
    this.isMap = isMap;
    this.start = w.pos;
    this.type = type;
    if (isMap) w.mapHeader(count / 2);
    else w.arrayHeader(count);
  }

  /** The key of the current item. */
  key(): unknown {
    const last = this.next - 1;
    const key = this.isMap ? this.items[last - (last % 2)] : last;
    return key instanceof EncodedKey ? key.key : key;
  }

  /** Ends the container. An extension's header goes in front of its data, which then move by 2 to 6 bytes. */
  close(w: MessageWriter): void {
    w.close();
    if (this.type < 0) return;
    const data = w.bytes.slice(this.start, w.pos);
    w.pos = this.start;
    writeExtension(w, this.type, data);
  }
}

/** Writes a container of any kind. Returns false, and writes nothing, when the value is not a container. */
export function writeContainer(w: MessageWriter, value: unknown): boolean {
  const container = openContainer(w, value);
  if (container === null) return false;
  writeStack(w, [container]);
  return true;
}

/** Writes the rest of the open containers, outermost first in the list. */
export function writeStack(w: MessageWriter, stack: OpenContainer[]): void {
  try {
    for (let inner = nextContainer(w, stack); inner !== null; inner = nextContainer(w, stack)) stack.push(inner);
  } catch (error) {
    throw error === PAUSE ? w.pauses!.stack(stack) : stackFailure(error, stack);
  }
}

/** Adds the path through the open containers to an error. Empties the stack. */
export function stackFailure(error: unknown, stack: OpenContainer[]): unknown {
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) error = Failure.at(error, top.key(), top.holder);
  return error;
}

/** Writes items until a container begins, and returns it; null once everything is written. */
function nextContainer(w: MessageWriter, stack: OpenContainer[]): OpenContainer | null {
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (top.next === top.count) {
      top.close(w);
      stack.pop();
      continue;
    }
    const i = top.next++;
    const item = top.items[i];
    if (item instanceof EncodedKey) w.raw(item.bytes);
    else if (item === undefined && !top.isMap) w.element(top.items, i);
    else {
      const inner = typeof item === "object" && item !== null && !w.takes(item) ? openContainer(w, item) : null;
      if (inner !== null) return inner;
      w.write(item);
    }
  }
  return null;
}

/** Opens the container of a value, as the options define it; null if the value is not a container. */
function openContainer(w: MessageWriter, value: unknown): OpenContainer | null {
  const { json, js, extensions } = w.settings;
  if (typeof value !== "object" || value === null) return openParts(w, value);
  if (!json && (extensionOf(extensions, value) !== undefined || replacerOf(value) !== undefined)) return null;
  if (Array.isArray(value)) return new OpenContainer(w, value, json ? jsonElements(value) : value, false);
  if (json) return openMap(w, value, propertyEntries(value, true, toJsonValue));
  if (isPlainObject(value)) return openMap(w, value, propertyEntries(value, js === null));
  return openParts(w, value) ?? (isMap(value) ? openMap(w, value, [...value]) : null);
}

/** Opens the array that is the data of a `fidelity: "js"` extension; null for a value that has no such extension. */
function openParts(w: MessageWriter, value: unknown): OpenContainer | null {
  const parts = w.settings.js?.toParts(value);
  if (parts === undefined) return null;
  const items = parts.isPairs === true ? keysAndValues(w, value, parts.data as readonly Entry[]) : parts.data;
  return new OpenContainer(w, value, items, false, parts.type);
}

function openMap(w: MessageWriter, holder: object, entries: readonly Entry[]): OpenContainer {
  return new OpenContainer(w, holder, keysAndValues(w, holder, entries), true);
}

/** Keys and values in turn: always two items per entry, even if a Map's overridden iterator returns other entries. */
function keysAndValues(w: MessageWriter, holder: unknown, entries: readonly Entry[]): unknown[] {
  const items: unknown[] = [];
  if (w.settings.canonical) for (const key of sortedKeys(w, holder, entries)) items.push(key, key.value);
  else for (const entry of entries) items.push(entry[0], entry[1]);
  return items;
}
