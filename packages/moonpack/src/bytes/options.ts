import { invalidArgument } from "./errors.js";

/** An options argument, checked to be an object, or undefined for none. `ERR_INVALID_ARGUMENT` otherwise. */
export function optionsObject(options: unknown): object {
  if (options === undefined) return {};
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  throw invalidArgument("options must be an object");
}

/** Reads one option, own only: never what somebody put on Object.prototype. */
export function ownOption(options: object | undefined, name: string): unknown {
  return options !== undefined && Object.hasOwn(options, name) ? (options as Record<string, unknown>)[name] : undefined;
}

/** An option that counts something: an integer from `min` to `max`, or its default when undefined. `ERR_INVALID_ARGUMENT` otherwise. */
export function countOption(name: string, value: unknown, fallback: number, min: number, max: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && value >= min && value <= max && (Number.isInteger(value) || value === Infinity))
    return value;
  throw invalidArgument(`${name} must be an integer from ${min} ${max === Infinity ? "on" : `to ${max}`}`);
}

/** An option that is one of a few values, the first by default. `ERR_INVALID_ARGUMENT` otherwise. */
export function choiceOption(name: string, value: unknown, choices: readonly unknown[]): unknown {
  if (value === undefined) return choices[0];
  if (choices.includes(value)) return value;
  throw invalidArgument(`${name} must be ${choices.map((choice) => JSON.stringify(choice)).join(" or ")}`);
}

/** An option that is true or false, or its default when undefined. `ERR_INVALID_ARGUMENT` otherwise. */
export function flagOption(name: string, value: unknown, fallback: boolean): boolean {
  return choiceOption(name, value, [fallback, !fallback]) as boolean;
}

/** What an option may be: choices, the default first; or a count's default, least and greatest value. */
export type OptionRule = readonly [unknown, ...unknown[]];

/**
 * The options that `rules` name, each checked or its default, as an object of its own: the caller's is neither kept nor
 * changed. `ERR_INVALID_ARGUMENT` names the first that makes no sense.
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
