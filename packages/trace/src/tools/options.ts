/** The options of the tools: own properties only, each checked, with the errors of this package. */
import { describe, invalidArgument } from "../errors.js";
import type { ToolOutput } from "./output.js";

/** Reads one option; undefined if it is absent. */
export type ReadOption = (name: string) => unknown;

/** Reads the own properties of options. Throws `ERR_INVALID_ARGUMENT` if they are not an object. */
export function optionReader(options: object | undefined): ReadOption {
  if (options !== undefined && (typeof options !== "object" || options === null))
    throw invalidArgument(`options must be an object, not ${describe(options)}`);
  const given: object = options ?? {};
  return (name) => (Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : undefined);
}

/** An integer of at least 1. */
export function countOption(read: ReadOption, name: string, byDefault: number): number {
  const value = read(name) ?? byDefault;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
    throw invalidArgument(`${name} must be an integer of at least 1, not ${describe(value)}`);
  return value;
}

/** A number from 0 to 1. */
export function shareOption(read: ReadOption, name: string, byDefault: number): number {
  const value = read(name) ?? byDefault;
  if (typeof value !== "number" || !(value >= 0 && value <= 1))
    throw invalidArgument(`${name} must be a number from 0 to 1, not ${describe(value)}`);
  return value;
}

/** The path of a file. */
export function pathOption(read: ReadOption, name: string): string | undefined {
  const value = read(name) ?? undefined;
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  throw invalidArgument(`${name} must be the path of a file, not ${describe(value)}`);
}

/** A path, a descriptor or a function. */
export function outputOption(read: ReadOption): ToolOutput | undefined {
  const value = read("output") ?? undefined;
  if (value === undefined || typeof value === "function") return value as ToolOutput | undefined;
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw invalidArgument(`output must be a path, a file descriptor or a function, not ${describe(value)}`);
}

/** A list of texts. */
export function textsOption(read: ReadOption, name: string): readonly string[] | undefined {
  const value = read(name) ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((text) => typeof text === "string"))
    throw invalidArgument(`${name} must be a list of texts, not ${describe(value)}`);
  return value;
}
