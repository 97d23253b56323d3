/** Names, types, pointers, factories and receivers that a file's directives choose: what a command line cannot say by functions. */
import { invalidArgument } from "../../../../bytes/errors.js";
import { ownOption } from "../../../../bytes/options.js";
import type { GoFactory, GoFieldType, GoPlace, GoSettings, GoSubject } from "../../go/options.js";
import type { RegionData } from "../engine.js";

/** Settings whose hooks look first at what the data of all regions say. `finish` refuses what none of them asked for. */
export interface DataHooks {
  readonly hooks: Pick<GoSettings, "names" | "types" | "pointers" | "factories" | "receivers">;
  finish(): void;
}

/**
 * `names`: `Player` is a struct, `Player.user_id` a field, `enumeration Player.mood` or `union ..` its type, `value
 * Player.mood.happy` or `arm ..` a part of that. `types` and `pointers` name fields, and what lies in them: `element Player.tags`,
 * `value.element Player.scores`. `factories` name structs and arms, `receivers` structs.
 */
export function dataHooks(all: readonly RegionData[], settings: GoSettings): DataHooks {
  const names = new Chosen<string>();
  const types = new Chosen<GoFieldType>();
  const pointers = new Chosen<true>();
  const factories = new Chosen<GoFactory>();
  const receivers = new Chosen<string>();
  for (const data of all) {
    for (const [key, name] of entriesOf(data, "names")) names.set(key, textOf(name, "names", key));
    for (const [key, type] of entriesOf(data, "types")) types.set(key, typeOf(type, key));
    for (const key of listOf(data, "pointers")) pointers.set(key, true);
    for (const [key, make] of entriesOf(data, "factories")) factories.set(key, factoryOf(make, key));
    for (const [key, name] of entriesOf(data, "receivers")) receivers.set(key, textOf(name, "receivers", key));
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

/** What the data choose for one hook, and which of it nobody has asked for yet. */
class Chosen<T> {
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
    if (unknown !== undefined) throw invalidArgument(`there is nothing ${JSON.stringify(unknown)} to choose for`);
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

function entriesOf(data: RegionData, option: string): readonly (readonly [string, unknown])[] {
  const given = ownOption(data, option) ?? {};
  if (typeof given !== "object" || Array.isArray(given))
    throw invalidArgument(`${JSON.stringify(option)} is an object`);
  return Object.entries(given);
}

function listOf(data: RegionData, option: string): readonly string[] {
  const given = ownOption(data, option) ?? [];
  if (!Array.isArray(given)) throw invalidArgument(`${JSON.stringify(option)} is a list of fields`);
  return given.map((key: unknown) => textOf(key, option, String(key)));
}

function textOf(value: unknown, option: string, key: string): string {
  if (typeof value === "string") return value;
  throw invalidArgument(`${JSON.stringify(option)} has no text for ${JSON.stringify(key)}`);
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
