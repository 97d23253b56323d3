/** Replies in one form. They are arrays in RESP2, maps in RESP3, and objects where a client makes them. */
import { unknownReply } from "../errors.js";
import type { RawEntry, RawStream } from "./client.js";

/** A value's bytes; undefined for null. */
export function bytesOf(reply: unknown, command: string): Uint8Array | undefined {
  if (reply === null || reply === undefined) return undefined;
  if (reply instanceof Uint8Array) return reply;
  throw unknownReply(command);
}

/** A list of values, null for those that are missing. */
export function listOf(reply: unknown, command: string): (Uint8Array | undefined)[] {
  if (!Array.isArray(reply)) throw unknownReply(command);
  return reply.map((one) => bytesOf(one, command));
}

/** Names and values: of an array with both in turn, a Map, or an object. */
export function pairsOf(reply: unknown, command: string): [string, unknown][] {
  if (reply === null || reply === undefined) return [];
  if (reply instanceof Map) return Array.from(reply, ([name, value]) => [textOf(name, command), value]);
  if (Array.isArray(reply)) {
    if (reply.every((one) => Array.isArray(one) && one.length === 2))
      return reply.map(([name, value]) => [textOf(name, command), value]);
    return Array.from({ length: reply.length / 2 }, (_, i) => [textOf(reply[2 * i], command), reply[2 * i + 1]]);
  }
  if (typeof reply === "object" && !(reply instanceof Uint8Array)) return Object.entries(reply);
  throw unknownReply(command);
}

/** Fields and their bytes. */
export function fieldsOf(reply: unknown, command: string): RawEntry["fields"] {
  return pairsOf(reply, command).map(([field, value]) => {
    const bytes = bytesOf(value, command);
    if (bytes === undefined) throw unknownReply(command);
    return [field, bytes];
  });
}

/** Entries: `[id, fields]`, or `{ id, message }` of node-redis. */
export function entriesOf(reply: unknown, command: string): RawEntry[] {
  if (!Array.isArray(reply)) throw unknownReply(command);
  return reply.map((entry) => {
    const [id, fields] = Array.isArray(entry) ? entry : [entry?.id, entry?.message];
    return { id: textOf(id, command), fields: fieldsOf(fields, command) };
  });
}

/** Streams: pairs of key and entries in any form, or `{ name, messages }` of node-redis. None for null. */
export function streamsOf(reply: unknown, command: string): RawStream[] {
  const pairs =
    Array.isArray(reply) && reply.every((one) => typeof one === "object" && one !== null && "messages" in one)
      ? reply.map(({ name, messages }): [string, unknown] => [textOf(name, command), messages])
      : pairsOf(reply, command);
  return pairs.map(([key, entries]) => ({ key, entries: entriesOf(entries, command) }));
}

/** A name or an id as text. */
export function textOf(reply: unknown, command: string): string {
  if (typeof reply === "string") return reply;
  if (reply instanceof Uint8Array) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(reply);
  throw unknownReply(command);
}

/** A count. */
export function countOf(reply: unknown, command: string): number {
  if (typeof reply === "number") return reply;
  throw unknownReply(command);
}
