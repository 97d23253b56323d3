/** Checks of the tools' options. Null counts as absent. */
import { describe, invalidArgument } from "../errors.js";
import { ownOption } from "../options.js";
import type { ToolOutput } from "./output.js";

/** An integer of at least 1. */
export function countOption(options: object, name: string, byDefault: number): number {
  const value = ownOption(options, name) ?? byDefault;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
    throw invalidArgument(`${name} must be an integer of at least 1, not ${describe(value)}`);
  return value;
}

/** A number from 0 to 1. */
export function shareOption(options: object, name: string, byDefault: number): number {
  const value = ownOption(options, name) ?? byDefault;
  if (typeof value !== "number" || !(value >= 0 && value <= 1))
    throw invalidArgument(`${name} must be a number from 0 to 1, not ${describe(value)}`);
  return value;
}

/** The path of a file. */
export function pathOption(options: object, name: string): string | undefined {
  const value = ownOption(options, name) ?? undefined;
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  throw invalidArgument(`${name} must be the path of a file, not ${describe(value)}`);
}

/** A path, a descriptor or a function. */
export function outputOption(options: object): ToolOutput | undefined {
  const value = ownOption(options, "output") ?? undefined;
  if (value === undefined || typeof value === "function") return value as ToolOutput | undefined;
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw invalidArgument(`output must be a path, a file descriptor or a function, not ${describe(value)}`);
}

/** A list of texts. */
export function textsOption(options: object, name: string): readonly string[] | undefined {
  const value = ownOption(options, name) ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((text) => typeof text === "string"))
    throw invalidArgument(`${name} must be a list of texts, not ${describe(value)}`);
  return value;
}
