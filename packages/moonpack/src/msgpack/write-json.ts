/** `fidelity: "json"`: what JSON.stringify would keep, and nothing else (ECMA-262, SerializeJSONProperty). */
import { describe } from "../bytes/errors.js";
import { Failure } from "./failure.js";
import type { MessageWriter } from "./write.js";
import { writeSorted } from "./write-other.js";

/** Writes a message's value as JSON.stringify would see it. */
export function writeJson(w: MessageWriter, value: unknown): void {
  const seen = jsonValue(value, "");
  if (seen === undefined) throw new Failure("ERR_UNSUPPORTED_TYPE", `JSON has no form for ${describe(value)}`);
  writeSeen(w, seen);
}

/** Writes a value whose toJSON was asked already. */
function writeSeen(w: MessageWriter, value: unknown): void {
  if (typeof value !== "object" || value === null) w.write(value);
  else if (Array.isArray(value)) writeElements(w, value);
  else writeMembers(w, value as Record<string, unknown>);
}

function writeElements(w: MessageWriter, array: readonly unknown[]): void {
  w.open(array);
  const n = array.length;
  w.room(5);
  w.arrayHeader(n);
  let i = 0;
  try {
    for (; i < n; i++) writeSeen(w, jsonValue(array[i], i) ?? null);
  } catch (error) {
    throw Failure.at(error, i, array);
  }
  w.close();
}

function writeMembers(w: MessageWriter, object: Record<string, unknown>): void {
  const members: [string, unknown][] = [];
  let key = "";
  try {
    for (key of Object.keys(object)) {
      const value = jsonValue(object[key], key);
      if (value !== undefined) members.push([key, value]);
    }
  } catch (error) {
    throw Failure.at(error, key, object);
  }
  if (w.settings.canonical) return writeSorted(w, object, members, writeSeen);
  w.open(object);
  w.room(5);
  w.mapHeader(members.length);
  try {
    for (const [name, value] of members) {
      key = name;
      w.write(name);
      writeSeen(w, value);
    }
  } catch (error) {
    throw Failure.at(error, key, object);
  }
  w.close();
}

/** What is left of a value after toJSON, boxed primitives opened and what JSON drops as undefined. */
function jsonValue(value: unknown, key: string | number): unknown {
  if ((typeof value === "object" && value !== null) || typeof value === "bigint") {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === "function") value = toJSON.call(value, String(key));
  }
  if (value instanceof Number) value = Number(value);
  else if (value instanceof String) value = String(value);
  else if (value instanceof Boolean) value = value.valueOf();
  if (typeof value === "bigint") throw new Failure("ERR_UNSUPPORTED_TYPE", "JSON has no form for a bigint");
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null; // JSON has no -0 either
  return typeof value === "function" || typeof value === "symbol" ? undefined : value;
}
