/** Replies in one form. They are arrays in RESP2, maps in RESP3, and objects from some clients. */
import { unknownReply } from "../errors.js";
import type { RawEntry, RawField, RawStream } from "./client.js";

/** Returns a value's bytes; undefined for null. */
export function bytesOf(reply: unknown, command: string): Uint8Array | undefined {
  if (reply === null || reply === undefined) return undefined;
  if (reply instanceof Uint8Array) return reply;
  throw unknownReply(command);
}

/** Returns a list of values, with undefined for missing ones. */
export function listOf(reply: unknown, command: string): (Uint8Array | undefined)[] {
  if (!Array.isArray(reply)) throw unknownReply(command);
  return reply.map((one) => bytesOf(one, command));
}

/** Returns names and values of a Map, an object, an array of pairs, or a flat array. */
function pairsOf(reply: unknown, command: string): (readonly [name: unknown, value: unknown])[] {
  if (reply === null || reply === undefined) return [];
  if (reply instanceof Map) return [...reply];
  if (Array.isArray(reply)) {
    if (reply.every((one) => Array.isArray(one) && one.length === 2)) return reply;
    return Array.from({ length: reply.length / 2 }, (_, i) => [reply[2 * i], reply[2 * i + 1]]);
  }
  if (typeof reply === "object" && !(reply instanceof Uint8Array)) return Object.entries(reply);
  throw unknownReply(command);
}

/** Returns fields and their bytes. */
export function fieldsOf(reply: unknown, command: string): RawField[] {
  return pairsOf(reply, command).map(([name, value]) => {
    const bytes = bytesOf(value, command);
    if (bytes === undefined || !(typeof name === "string" || name instanceof Uint8Array)) throw unknownReply(command);
    return [name, bytes];
  });
}

/** Returns entries of `[id, fields]`, or of `{ id, message }` of node-redis. */
export function entriesOf(reply: unknown, command: string): RawEntry[] {
  if (!Array.isArray(reply)) throw unknownReply(command);
  return reply.map((entry) => {
    const [id, fields] = Array.isArray(entry) ? entry : [entry?.id, entry?.message];
    return { id: textOf(id, command), fields: fieldsOf(fields, command) };
  });
}

/** Returns streams of pairs of key and entries, or of `{ name, messages }` of node-redis. An empty array for null. */
export function streamsOf(reply: unknown, command: string): RawStream[] {
  const pairs =
    Array.isArray(reply) && reply.every((one) => typeof one === "object" && one !== null && "messages" in one)
      ? reply.map(({ name, messages }) => [name, messages] as const)
      : pairsOf(reply, command);
  return pairs.map(([key, entries]) => ({ key: textOf(key, command), entries: entriesOf(entries, command) }));
}

/** Returns a name or an id as text. */
export function textOf(reply: unknown, command: string): string {
  if (typeof reply === "string") return reply;
  if (reply instanceof Uint8Array) return textOfBytes(reply);
  throw unknownReply(command);
}

/** Returns the text of bytes, with U+FFFD for invalid UTF-8. */
export function textOfBytes(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Returns a count. ioredis returns it as text with `stringNumbers`. */
export function countOf(reply: unknown, command: string): number {
  if (typeof reply === "number") return reply;
  if (typeof reply === "string" && /^\d+$/.test(reply)) return Number(reply);
  throw unknownReply(command);
}
