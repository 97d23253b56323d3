/** Parsers of option values of `moonpack load`. */
import type { Ramp } from "@moonpack/load";
import { recordOf } from "moonpack/bytes";
import { durationOf } from "../series/times.js";
import { UsageError } from "../shared/failure.js";
import { type Condition, parseCondition } from "./fail-if.js";

/** Returns a usage error with the library's code for invalid arguments. */
export function badOption(text: string): UsageError {
  return new UsageError(`ERR_INVALID_ARGUMENT: ${text}`);
}

/** Parses an integer of at least 1. */
export function countOption(option: string): (text: string) => number {
  return (text) => {
    const count = scaled(text, 1000);
    if (count !== undefined && Number.isSafeInteger(count) && count >= 1) return count;
    throw badOption(`${option} must be a whole number of at least 1, not ${text}`);
  };
}

/** Parses the seed, which may be 0. */
export function seedOption(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw badOption(`--seed must be a whole number from 0 to 4294967295, not ${text}`);
}

/**
 * Parses a duration: 500ms, 10s, 1.5m. A number alone is seconds, as in autocannon. Returns milliseconds. `least` is the minimum in
 * ms, `most` the maximum as text.
 */
export function durationOption(option: string, least: 0 | 1, most: string): (text: string) => number {
  return (text) => {
    const duration = durationOf(/^\d+(?:\.\d+)?$/.test(text) ? `${text}s` : text, least);
    if (duration !== undefined && duration >= least && duration <= durationOf(most)!) return duration;
    const from = least === 0 ? "0" : "1ms";
    throw badOption(
      `${option} must be a duration from ${from} to ${most}, such as 500ms, 10 (seconds) or 1.5m, not ${text}`,
    );
  };
}

/** Parses operations per second: 2000, 20k, 0.5; or a ramp, 500..5k. */
export function rateOption(option: string): (text: string) => number | Ramp {
  return rampOption((text) => {
    const rate = scaled(text, 1000);
    if (rate !== undefined && rate > 0) return rate;
    throw badOption(`${option} must be operations a second, such as 2000, 20k or a ramp 500..5k, not ${text}`);
  });
}

/** Parses a value or a ramp of two values, FROM..TO. */
export function rampOption(parse: (text: string) => number): (text: string) => number | Ramp {
  return (text) => {
    const [, from, to] = /^(.+)\.\.(.+)$/.exec(text) ?? [];
    return from === undefined ? parse(text) : { from: parse(from), to: parse(to!) };
  };
}

/** Parses a header, NAME=VALUE or "NAME: VALUE", and adds it to those before. */
export function headerOption(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^([^:=\s]+)\s*[:=]\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw badOption(`--header must be NAME=VALUE or "NAME: VALUE", not ${text}`);
  return recordOf([...Object.entries(before), [name, value!]]);
}

/** Parses the percentage of gets. */
export function mixOption(text: string): number {
  const percent = scaled(text.replace(/%$/, ""), undefined);
  if (percent !== undefined && percent <= 100) return percent;
  throw badOption(`--mix must be the percentage of gets, from 0 to 100, not ${text}`);
}

/** Parses bytes (3, 1k, 100k, 1m), or returns the name of a file. */
export function payloadOption(text: string): number | string {
  if (/\.(?:json|ndjson|jsonl)$/i.test(text)) return text;
  const bytes = scaled(text, 1024);
  if (bytes !== undefined && Number.isInteger(bytes)) return bytes;
  throw badOption(`--payload must be bytes such as 3, 1k or 100k, or a .json or .ndjson file, not ${text}`);
}

/** Parses a condition and appends it. */
export function failIfOption(text: string, before: readonly Condition[] = []): readonly Condition[] {
  return [...before, parseCondition(text)];
}

/** Parses a non-negative number with an optional suffix k (`unit`) or m (`unit` squared). Undefined for any other text. */
export function scaled(text: string, unit: number | undefined): number | undefined {
  const [, digits, letter] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text) ?? [];
  if (digits === undefined || (letter !== "" && unit === undefined)) return undefined;
  const power = letter === "" ? 0 : letter!.toLowerCase() === "k" ? 1 : 2;
  return Number(digits) * (unit ?? 1) ** power;
}
