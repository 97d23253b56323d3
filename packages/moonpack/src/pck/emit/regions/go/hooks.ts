/** Names, types and pointers that a file's directives choose: what a command line cannot say by functions. */
import { invalidArgument } from "../../../../bytes/errors.js";
import { ownOption } from "../../../../bytes/options.js";
import type { GoFieldType, GoSettings, GoSubject } from "../../go/options.js";
import type { RegionData } from "../engine.js";

/** Settings whose hooks look first at what the data of all regions say. `finish` refuses what none of them asked for. */
export interface DataHooks {
  readonly hooks: Pick<GoSettings, "names" | "types" | "pointers">;
  finish(): void;
}

/**
 * `names`: `Player` is a struct, `Player.user_id` a field, `enumeration Player.mood` or `union ..` its type, `value
 * Player.mood.happy` or `arm ..` a part of that. `types` and `pointers` name fields.
 */
export function dataHooks(all: readonly RegionData[], settings: GoSettings): DataHooks {
  const names = new Map<string, string>();
  const types = new Map<string, GoFieldType>();
  const pointers = new Set<string>();
  for (const data of all) {
    for (const [key, name] of entriesOf(data, "names")) names.set(key, textOf(name, "names", key));
    for (const [key, type] of entriesOf(data, "types")) types.set(key, typeOf(type, key));
    for (const key of listOf(data, "pointers")) pointers.add(key);
  }
  const open = new Set([...names.keys(), ...types.keys(), ...pointers]);
  const asked = (key: string): string => {
    open.delete(key);
    return key;
  };
  const fieldKey = (field: { readonly struct: string; readonly name: string }) =>
    asked(`${field.struct}.${field.name}`);
  return {
    hooks: {
      names: (subject, proposed) => names.get(asked(keyOf(subject))) ?? settings.names(subject, proposed),
      types: (field, go) => types.get(fieldKey(field)) ?? settings.types(field, go),
      pointers: (field) => pointers.has(fieldKey(field)) || settings.pointers(field),
    },
    finish() {
      const [unknown] = open;
      if (unknown !== undefined) throw invalidArgument(`there is nothing ${JSON.stringify(unknown)} to choose for`);
    },
  };
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
