// How bytes are read: their format, and the options of `decode`. Without the code that reads them, so that links can hold settings.
import type { DecoderOptions } from "moonpack";
import type { Format, ItemSettings } from "./formats.ts";

/** The options of `decode` that the playground has switches for. */
export type DecodeSwitches = Required<
  Pick<DecoderOptions, "strict" | "utf8" | "int64" | "timestamps" | "maps" | "unknownExtensions">
>;

/** Everything that decides how bytes are read. */
export interface ReadSettings extends ItemSettings {
  /** Undefined: the format that the bytes seem to have. */
  readonly format?: Format;
  readonly decode: DecodeSwitches;
}

/** The formats that can be chosen. */
const FORMAT_NAMES: readonly Format[] = ["msgpack", "pck", "protobuf"];

/** The values of each switch; the first one is the default of `decode`. */
export const DECODE_CHOICES = {
  strict: [false, true],
  utf8: ["strict", "replace"],
  int64: ["auto", "bigint", "number"],
  timestamps: ["auto", "date", "timestamp"],
  maps: ["auto", "object", "map"],
  unknownExtensions: ["throw", "keep"],
} as const satisfies { readonly [Name in keyof DecodeSwitches]: readonly DecodeSwitches[Name][] };

/** The most levels of nesting that can be chosen. */
export const MAX_DEPTH = 4096;

/** The defaults of `decode`. */
export const DEFAULT_SETTINGS: ReadSettings = settingsOf("");

/** Settings as text; "" for the defaults. */
export function settingsText(settings: ReadSettings): string {
  const text = JSON.stringify(settings);
  return text === JSON.stringify(DEFAULT_SETTINGS) ? "" : text;
}

/** The settings in a text, which may be anything: those that can be chosen, and the defaults for all others. */
export function settingsOf(text: string): ReadSettings {
  const given = objectIn(text);
  const format = FORMAT_NAMES.find((name) => name === given.format);
  const depth = Number(given.maxDepth);
  const switches = Object(given.decode) as Readonly<Record<string, unknown>>;
  const decode = Object.entries(DECODE_CHOICES).map(([name, choices]) => [
    name,
    (choices as readonly unknown[]).find((one) => one === switches[name]) ?? choices[0],
  ]);
  return {
    sequence: given.sequence === true,
    maxDepth: Number.isInteger(depth) && depth >= 1 && depth <= MAX_DEPTH ? depth : 512,
    decode: Object.fromEntries(decode) as DecodeSwitches,
    ...(format === undefined ? {} : { format }),
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
