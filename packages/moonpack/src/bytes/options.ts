import { invalidArgument } from "./errors.js";

/** Checks that an options argument is an object; undefined becomes an empty one. `ERR_INVALID_ARGUMENT` otherwise. */
export function optionsObject(options: unknown): object {
  if (options === undefined) return {};
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  throw invalidArgument("options must be an object");
}

/** A copy of the options, each read once: for work that reads them more than once, while their owner may change them. */
export function heldOptions<T extends object>(options: T | undefined): T | undefined {
  if (options === undefined) return undefined;
  const held = Object.create(null) as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(optionsObject(options))) held[name] = ownOption(options, name);
  return held as T;
}

/** Reads one option. Only own properties count, so a polluted Object.prototype changes nothing. */
export function ownOption(options: object | undefined, name: string): unknown {
  return options !== undefined && Object.hasOwn(options, name) ? (options as Record<string, unknown>)[name] : undefined;
}

/** Checks a numeric option: an integer from `min` to `max`; undefined becomes the default. `ERR_INVALID_ARGUMENT` otherwise. */
export function countOption(name: string, value: unknown, fallback: number, min: number, max: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && value >= min && value <= max && (Number.isInteger(value) || value === Infinity))
    return value;
  throw invalidArgument(`${name} must be an integer from ${min} ${max === Infinity ? "up" : `to ${max}`}`);
}

/** Checks an option that is one of `choices`; undefined becomes the first. `ERR_INVALID_ARGUMENT` otherwise. */
export function choiceOption(name: string, value: unknown, choices: readonly unknown[]): unknown {
  if (value === undefined) return choices[0];
  if (choices.includes(value)) return value;
  throw invalidArgument(`${name} must be ${choices.map((choice) => JSON.stringify(choice)).join(" or ")}`);
}

/** Checks a boolean option; undefined becomes the default. `ERR_INVALID_ARGUMENT` otherwise. */
export function flagOption(name: string, value: unknown, fallback: boolean): boolean {
  return choiceOption(name, value, [fallback, !fallback]) as boolean;
}

/** The values that an option may have: its choices, the default first; or a number's default, minimum and maximum. */
export type OptionRule = readonly [unknown, ...unknown[]];

/**
 * Checks the options that `rules` name and returns them, with defaults, in a new object. `ERR_INVALID_ARGUMENT` names the first
 * invalid option.
 */
export function readOptions(rules: { readonly [name: string]: OptionRule }, options: unknown): Record<string, unknown> {
  const given = optionsObject(options);
  const settings: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value = ownOption(given, name);
    const [fallback, min, max] = rule;
    settings[name] =
      typeof fallback === "number"
        ? countOption(name, value, fallback, min as number, max as number)
        : choiceOption(name, value, rule);
  }
  return settings;
}
