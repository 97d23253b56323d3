/** Checks of arguments. Only own properties of options count, and each is read once. */
import { durationMs, flagOption, invalidArgument, ownOptions, refuseUnknown } from "moonpack/bytes";
import type { RangeOptions, ReadCommand, ReadOptions, SetCommand, SetOptions } from "./clients/client.js";
import { malformedName, type RedisValueError } from "./errors.js";

/** Values by name: an object, or pairs such as a Map. */
export type ValuesInput<T> = Readonly<Record<string, T>> | Iterable<readonly [string, T]>;

/** Called with the error of a message that cannot be decoded. */
export type ErrorHandler = (error: RedisValueError) => void;

/** Returns a copy of the options. Throws `ERR_INVALID_ARGUMENT` for an unknown one. */
export function copyOptions<T extends object>(options: T | undefined, names: readonly (keyof T & string)[]): T {
  const given = ownOptions(options);
  refuseUnknown(given, names);
  return given;
}

/** Returns the pairs of values by name. `what` is the word for a name in errors. */
export function pairsOfInput<T>(values: ValuesInput<T>, what: string): (readonly [string, T])[] {
  if (typeof values !== "object" || values === null) throw invalidArgument("values by name must be an object or a Map");
  if (!(Symbol.iterator in values)) return Object.entries(values).map(([name, value]) => [nameOf(name, what), value]);
  return Array.from(values as Iterable<readonly [string, T]>, ([name, value]) => [nameOf(name, what), value]);
}

/**
 * Checks a key, a field or another word of a command, and returns it. Clients would make several words of an array, and would write the
 * same key for texts that differ only in lone surrogates.
 */
export function nameOf(name: string, what: string): string {
  if (typeof name !== "string") throw invalidArgument(`${what} must be a string`);
  if (!name.isWellFormed()) throw malformedName(what, name);
  return name;
}

/** Checks names. */
export function namesOf(names: readonly string[], what: string): readonly string[] {
  if (!Array.isArray(names)) throw invalidArgument(`${what}s must be an array`);
  return names.map((name) => nameOf(name, what));
}

/** Returns the pairs of a stream and an id. */
export function streamsOfInput(streams: ValuesInput<string>): (readonly [string, string])[] {
  return pairsOfInput(streams, "key").map(([key, id]) => [key, nameOf(id, "id")]);
}

/** Checks the option `undecodable`. Returns the function that replaces the value, or undefined for `"throw"`. */
export function undecodableOf(value: unknown): ((error: RedisValueError) => unknown) | undefined {
  if (value === undefined || value === "throw") return undefined;
  if (value === "keep") return (error) => error;
  if (typeof value === "function") return value as (error: RedisValueError) => unknown;
  throw invalidArgument('undecodable must be "throw", "keep" or a function');
}

/** Checks options of `set`. The words of a command must not come from untrusted input. */
export function setCommand(options: SetOptions | undefined): SetCommand {
  const { ttl, keepTtl, condition } = copyOptions(options, ["ttl", "keepTtl", "condition"]);
  const command = { ttlMs: wholeMs("ttl", ttl, 1), keepTtl: flagOption("keepTtl", keepTtl, false), condition };
  if (ttl !== undefined && command.keepTtl) throw invalidArgument("ttl and keepTtl exclude each other");
  if (condition !== undefined && condition !== "NX" && condition !== "XX")
    throw invalidArgument('condition must be "NX" or "XX"');
  return command;
}

/** Checks an option that counts entries. Redis treats 0 as all or as none, depending on the command. */
export function checkEntries(name: string, value: number | undefined): void {
  if (value !== undefined && (!Number.isSafeInteger(value) || value < 1))
    throw invalidArgument(`${name} must be a whole number of entries from 1`);
}

/** Checks options of a range. */
export function rangeCommand(options: RangeOptions | undefined): ReadCommand {
  const { count } = copyOptions(options, ["count"]);
  checkEntries("count", count);
  return { count, blockMs: undefined };
}

/** Checks options of reading streams. */
export function readCommand(options: ReadOptions | undefined): ReadCommand {
  const { count, block } = copyOptions(options, ["count", "block"]);
  checkEntries("count", count);
  return { count, blockMs: wholeMs("block", block, 0) };
}

/** Checks a duration that Redis takes as whole milliseconds. */
function wholeMs(name: string, value: unknown, min: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = durationMs(name, value);
  if (Number.isSafeInteger(ms) && ms >= min) return ms;
  throw invalidArgument(`${name} must be a whole number of milliseconds from ${min}`);
}

/** The default handler of errors. */
export function warn(error: RedisValueError): void {
  process.emitWarning(error);
}
