/** Checking what callers pass. */
import { choiceOption, invalidArgument, ownOptions } from "moonpack/bytes";
import type { ReadOptions, SetOptions } from "./clients/client.js";
import { notWellFormed, type RedisValueError } from "./errors.js";

/** Values by name: an object, or pairs as of a Map. */
export type ValuesInput<T> = Readonly<Record<string, T>> | Iterable<readonly [string, T]>;

/** Gets the error of a message that cannot be decoded. */
export type ErrorHandler = (error: RedisValueError) => void;

/** The pairs of values by name. `what` is the word for a name. */
export function pairsOfInput<T>(values: ValuesInput<T>, what: string): (readonly [string, T])[] {
  if (typeof values !== "object" || values === null) throw invalidArgument("values by name must be an object or a Map");
  if (!(Symbol.iterator in values)) return Object.entries(values).map(([name, value]) => [nameOf(name, what), value]);
  return Array.from(values as Iterable<readonly [string, T]>, ([name, value]) => [nameOf(name, what), value]);
}

/**
 * Checks a key, a field or another word of a command, and returns it. Clients would make several words of an array, and one key of texts
 * that differ in lone surrogates.
 */
export function nameOf(name: string, what: string): string {
  if (typeof name !== "string") throw invalidArgument(`${what} must be a string`);
  if (!name.isWellFormed()) throw notWellFormed(what, name);
  return name;
}

/** Checks names. */
export function namesOf(names: readonly string[], what: string): readonly string[] {
  if (!Array.isArray(names)) throw invalidArgument(`${what}s must be an array`);
  return names.map((name) => nameOf(name, what));
}

/** The pairs of a stream and an id. */
export function streamsOfInput(streams: ValuesInput<string>): (readonly [string, string])[] {
  return pairsOfInput(streams, "key").map(([key, id]) => [key, nameOf(id, "id")]);
}

/** Checks options of values. */
export function valuesOptions<T extends { readonly undecodable?: unknown }>(options: T | undefined): T {
  const given = ownOptions(options);
  choiceOption("undecodable", given.undecodable, ["throw", "return"]);
  return given;
}

/** Checks options of `set`: the words of a command must not come from strangers. */
export function checkSet({ ttlMs, keepTtl, condition }: SetOptions): void {
  if (ttlMs !== undefined && (!Number.isSafeInteger(ttlMs) || ttlMs < 1))
    throw invalidArgument("ttlMs must be a whole number of milliseconds from 1");
  if (ttlMs !== undefined && keepTtl) throw invalidArgument("ttlMs and keepTtl exclude each other");
  if (condition !== undefined && condition !== "NX" && condition !== "XX")
    throw invalidArgument('condition must be "NX" or "XX"');
}

/** Checks an option that is a number of entries. Redis itself would read 0 as all, or as none, depending on the command. */
export function checkEntries(name: string, value: number | undefined): void {
  if (value !== undefined && (!Number.isSafeInteger(value) || value < 1))
    throw invalidArgument(`${name} must be a whole number of entries from 1`);
}

/** A copy of options of reading, checked. */
export function readOptions<T extends ReadOptions>(options: T): T {
  const given = ownOptions(options);
  checkEntries("count", given.count);
  const { blockMs } = given;
  if (blockMs !== undefined && (!Number.isSafeInteger(blockMs) || blockMs < 0))
    throw invalidArgument("blockMs must be a whole number of milliseconds");
  return given;
}

/** What happens to errors of messages by default. */
export function warn(error: RedisValueError): void {
  process.emitWarning(error);
}
