import { invalidArgument } from "./errors.js";

/**
 * Checks that an options argument is an object; undefined becomes an empty one. `ERR_INVALID_ARGUMENT`, with the argument's name,
 * for anything else: an array too.
 *
 * @example
 * const given = optionsObject(options); // before ownOption
 */
export function optionsObject(options: unknown, name = "options"): object {
  if (options === undefined) return {};
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  throw invalidArgument(`${name} must be an object`);
}

/**
 * Returns a copy of an object that inherits nothing, so a polluted Object.prototype changes nothing. Each property is read once. Undefined
 * becomes an empty one.
 *
 * @example
 * const { message } = own(JSON.parse(text));
 */
export function own<T extends object>(object: T | undefined): T {
  return Object.assign(Object.create(null), object);
}

/**
 * Returns a copy of options that inherits nothing: for work that reads them more than once, while their owner may change them. Undefined
 * becomes an empty one. Throws `ERR_INVALID_ARGUMENT`, with the argument's name, for anything but an object.
 *
 * @example
 * const { host = "127.0.0.1", port } = ownOptions(options);
 */
export function ownOptions<T extends object>(options: T | undefined, name?: string): T {
  return own(optionsObject(options, name) as T);
}

/**
 * Reads one option. Only own properties count, so a polluted Object.prototype changes nothing.
 *
 * @example
 * const maxBytes = countOption("maxBytes", ownOption(given, "maxBytes"), 1024, 1, Infinity);
 */
export function ownOption(options: object | undefined, name: string): unknown {
  return options !== undefined && Object.hasOwn(options, name) ? (options as Record<string, unknown>)[name] : undefined;
}

/** Something with the method of a decoder: a Decoder, a Picker, a codec. */
export interface ValueReader<T = unknown> {
  /** Returns the value of bytes. Throws for invalid ones. */
  decode(bytes: Uint8Array): T;
}

/**
 * Returns the argument if it is a decoder, in a place that also takes an object of options: if it has a method `decode`, which it may
 * inherit, but not from a polluted Object.prototype. Otherwise undefined.
 *
 * @example
 * const decoder = asValueReader(given) ?? new Decoder(given);
 */
export function asValueReader<T>(value: unknown): ValueReader<T> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { decode } = value as Partial<ValueReader>;
  const isMethod = typeof decode === "function" && decode !== (Object.prototype as Partial<ValueReader>).decode;
  return isMethod ? (value as ValueReader<T>) : undefined;
}

/**
 * Checks a numeric option: an integer from `min` to `max`, or Infinity where `max` is. Undefined becomes the default.
 * `ERR_INVALID_ARGUMENT` otherwise.
 *
 * @example
 * countOption("port", 70_000, 8080, 1, 65_535); // throws: port must be an integer from 1 to 65535
 */
export function countOption(name: string, value: unknown, fallback: number, min: number, max: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && value >= min && value <= max && (Number.isInteger(value) || value === Infinity))
    return value;
  throw invalidArgument(`${name} must be an integer from ${min} ${max === Infinity ? "up" : `to ${max}`}`);
}

/**
 * Checks an option that is one of `choices`; undefined becomes the first. `ERR_INVALID_ARGUMENT` otherwise.
 *
 * @example
 * const order = choiceOption("order", ownOption(given, "order"), ["ascending", "descending"]);
 */
export function choiceOption<const T>(name: string, value: unknown, choices: readonly [T, ...T[]]): T {
  if (value === undefined) return choices[0];
  if (choices.includes(value as T)) return value as T;
  throw invalidArgument(`${name} must be ${choices.map((choice) => JSON.stringify(choice)).join(" or ")}`);
}

/**
 * Checks a boolean option; undefined becomes the default. `ERR_INVALID_ARGUMENT` otherwise.
 *
 * @example
 * const strict = flagOption("strict", ownOption(given, "strict"), false);
 */
export function flagOption(name: string, value: unknown, fallback: boolean): boolean {
  return choiceOption(name, value, [fallback, !fallback]);
}

/** The values that an option may have: its choices, the default first; or a number's default, minimum and maximum. */
export type OptionRule = readonly [unknown, ...unknown[]];

/**
 * Checks the options that `rules` name and returns them, with defaults, in a new object. `ERR_INVALID_ARGUMENT` names the first
 * invalid option. Other options are ignored: {@link refuseUnknown} finds them.
 *
 * @example
 * const { strict, maxBytes } = readOptions({ strict: [false, true], maxBytes: [1024, 1, Infinity] }, options);
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
