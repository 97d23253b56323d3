/**
 * Names, types, pointers, factories and receivers that a file's directives choose. A command line cannot pass
 * functions.
 */
import { invalidArgument, ownOption } from "moonpack/bytes";
import type { GoFactory, GoFieldType, GoPlace, GoSettings, GoSubject } from "../../go/options.js";
import type { RegionData } from "../refresh.js";

/**
 * Hooks that look at the data of all regions first. `finish` throws if the data have a choice that no hook was asked
 * for.
 */
export interface DataHooks {
  readonly hooks: Pick<GoSettings, "names" | "types" | "pointers" | "factories" | "receivers">;
  finish(): void;
}

/**
 * Hooks for the choices in the data of all regions. `names`: `Player` is a struct, `Player.user_id` a field,
 * `enumeration Player.mood` or `union ..` its type, and `value Player.mood.happy` or `arm ..` a part of that type.
 * `types` and `pointers` name fields and parts of them: `element Player.tags`, `value.element Player.scores`.
 * `factories` name structs and arms, `receivers` structs.
 */
export function dataHooks(all: readonly RegionData[], settings: GoSettings): DataHooks {
  const names = new HookValues<string>();
  const types = new HookValues<GoFieldType>();
  const pointers = new HookValues<true>();
  const factories = new HookValues<GoFactory>();
  const receivers = new HookValues<string>();
  for (const data of all) {
    for (const [key, name] of optionEntries(data, "names")) names.set(key, textOf(name, "names", key));
    for (const [key, type] of optionEntries(data, "types")) types.set(key, typeOf(type, key));
    for (const key of listOf(data, "pointers")) pointers.set(key, true);
    for (const [key, make] of optionEntries(data, "factories")) factories.set(key, factoryOf(make, key));
    for (const [key, name] of optionEntries(data, "receivers")) receivers.set(key, textOf(name, "receivers", key));
  }
  return {
    hooks: {
      names: (subject, proposed) => names.get(keyOf(subject)) ?? settings.names(subject, proposed),
      types: (place, go) => types.get(placeKey(place)) ?? settings.types(place, go),
      pointers: (place) => pointers.get(placeKey(place)) ?? settings.pointers(place),
      factories: (subject, go) => factories.get(keyOf(subject)) ?? settings.factories(subject, go),
      receivers: (struct, proposed) => receivers.get(keyOf(struct)) ?? settings.receivers(struct, proposed),
    },
    finish() {
      for (const chosen of [names, types, pointers, factories, receivers]) chosen.finish();
    },
  };
}

/** The choices for one hook, and the names of choices that the hook has not used yet. */
class HookValues<T> {
  readonly #values = new Map<string, T>();
  readonly #open = new Set<string>();

  set(key: string, value: T): void {
    this.#values.set(key, value);
    this.#open.add(key);
  }

  get(key: string): T | undefined {
    this.#open.delete(key);
    return this.#values.get(key);
  }

  finish(): void {
    const [unknown] = this.#open;
    if (unknown !== undefined)
      throw invalidArgument(`${JSON.stringify(unknown)} does not name anything in the schemas`);
  }
}

function placeKey({ struct, name, part }: GoPlace): string {
  return `${part === "" ? "" : `${part} `}${struct}.${name}`;
}

function keyOf({ kind, struct, field, name }: GoSubject): string {
  switch (kind) {
    case "struct":
      return name;
    case "field":
      return `${struct}.${field}`;
    case "enumeration":
    case "union":
      return `${kind} ${struct}.${field}`;
    default:
      return `${kind} ${struct}.${field}.${name}`;
  }
}

function optionEntries(data: RegionData, option: string): readonly (readonly [string, unknown])[] {
  const given = ownOption(data, option) ?? {};
  if (typeof given !== "object" || Array.isArray(given))
    throw invalidArgument(`${JSON.stringify(option)} must be an object`);
  return Object.entries(given);
}

function listOf(data: RegionData, option: string): readonly string[] {
  const given = ownOption(data, option) ?? [];
  if (!Array.isArray(given)) throw invalidArgument(`${JSON.stringify(option)} must be a list of fields`);
  return given.map((key: unknown) => textOf(key, option, String(key)));
}

function textOf(value: unknown, option: string, key: string): string {
  if (typeof value === "string") return value;
  throw invalidArgument(`${JSON.stringify(option)} must have a text for ${JSON.stringify(key)}`);
}

function typeOf(value: unknown, key: string): GoFieldType {
  if (typeof value !== "object" || value === null) return { type: textOf(value, "types", key) };
  const type = textOf(ownOption(value, "type"), "types", key);
  const path = ownOption(value, "import");
  return path === undefined ? { type } : { type, import: textOf(path, "types", key) };
}

function factoryOf(value: unknown, key: string): GoFactory {
  if (typeof value !== "object" || value === null) return { make: textOf(value, "factories", key) };
  const make = textOf(ownOption(value, "make"), "factories", key);
  const path = ownOption(value, "import");
  return path === undefined ? { make } : { make, import: textOf(path, "factories", key) };
}
