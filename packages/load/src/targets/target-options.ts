/** Checks of the options of targets: values that fail only during a run would be counted as errors of the target. */
import { invalidArgument, optionsObject } from "moonpack/bytes";

/** Checks an option that is a text; undefined becomes the default. Throws `ERR_INVALID_ARGUMENT` otherwise. */
export function textOption(name: string, value: unknown, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value === "string") return value;
  throw invalidArgument(`${name} must be a text`);
}

/** Checks an option that is an object of texts, such as headers. Throws `ERR_INVALID_ARGUMENT` for a Headers object or a Map. */
export function textsOption(name: string, value: unknown): Readonly<Record<string, string>> {
  const texts = { ...optionsObject(value, name) };
  const isIterable = value !== undefined && Symbol.iterator in Object(value);
  if (!isIterable && Object.values(texts).every((text) => typeof text === "string"))
    return texts as Readonly<Record<string, string>>;
  throw invalidArgument(`${name} must be an object whose values are texts`);
}

/** Checks that an option, if given, has functions. Throws `ERR_INVALID_ARGUMENT` otherwise. */
export function objectOption<T extends object>(name: string, value: T | undefined, functions: (keyof T & string)[]) {
  const given = Object(value) as T;
  if (value === undefined || functions.every((member) => typeof given[member] === "function")) return value;
  throw invalidArgument(`${name} must be an object with the functions ${functions.join(", ")}`);
}
