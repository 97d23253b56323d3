import { decode, Decoder as PlainDecoder, type DecoderOptions as PlainOptions } from "moonpack";
import {
  type BytesInput,
  DEFAULT_MAX_DEPTH,
  describe,
  ELEMENTS_RULE,
  invalidArgument,
  type Limits,
  optionsObject,
  ownOption,
  readOptions,
  refuseUnknown,
} from "moonpack/bytes";
import { Structure } from "./structures.js";

/** Shared structures: the bytes that `saveStructures` has stored with msgpackr's `pack`, or the array of arrays of keys. */
export type StructuresInput = BytesInput | readonly (readonly string[] | null | undefined)[];

/** Options of a {@link Decoder}. Options of moonpack's `DecoderOptions` mean the same here. */
export interface DecoderOptions
  extends Pick<PlainOptions, "int64" | "maps" | "timestamps" | "utf8" | "extensions" | "unknownExtensions">,
    Pick<Limits, "maxElements" | "maxBytes"> {
  /**
   * The structures that the writer shared. With them, bytes from 0x40 to 0x7f are ids of records. Default: none; such bytes are
   * integers until the message defines a record.
   */
  readonly structures?: StructuresInput;
  /** True for the messages of a Packr with `sequential`, or of a PackrStream: definitions hold for later messages. Default false. */
  readonly sequential?: boolean;
  /**
   * True reads RegExp, and references to earlier objects (`structuredClone`), so that results may contain themselves. Only for
   * trusted bytes: compiling a RegExp can take seconds, and a small message with references can be an endless value for code
   * that walks through it. Default false: both are `ERR_UNSUPPORTED_TYPE`.
   */
  readonly trusted?: boolean;
  /** `decimal` for messages written with `useFloat32`: rounds floats of 32 bits to the digits that they have. Default `exact`. */
  readonly float32?: "exact" | "decimal";
  /** `copy` (default) or `view`: binary is a view of the input. */
  readonly binary?: "copy" | "view";
  /** The most containers and records that may be open at once, 1 to 1,024. Default 512. Workers of browsers may hold fewer than 1,024. */
  readonly maxDepth?: number;
}

/** Each level takes up to four frames of the call stack. */
const MAX_DEPTH = 1024;

const RULES = {
  sequential: [false, true],
  trusted: [false, true],
  float32: ["exact", "decimal"],
  binary: ["copy", "view"],
  int64: ["auto", "bigint", "number"],
  maps: ["auto", "object", "map"],
  utf8: ["strict", "replace"],
  maxDepth: [DEFAULT_MAX_DEPTH, 1, MAX_DEPTH],
  maxElements: ELEMENTS_RULE,
  maxBytes: [Infinity, 1, Infinity],
} as const;

/** Options that moonpack's decoder checks, since it reads the extensions that msgpackr does not define. */
const PLAIN = ["timestamps", "extensions", "unknownExtensions"];

/** The checked options, with defaults. */
export interface Settings
  extends Required<Omit<DecoderOptions, "structures" | "timestamps" | "extensions" | "unknownExtensions">> {
  readonly structures: readonly (Structure | undefined)[] | undefined;
  /** Reads timestamps and the caller's extensions. */
  readonly plain: PlainDecoder;
}

/** Checks the options. `ERR_INVALID_ARGUMENT` names the first invalid or unknown one. */
export function checkOptions(options: unknown): Settings {
  const given = optionsObject(options);
  refuseUnknown(given, [...Object.keys(RULES), ...PLAIN, "structures"]);
  const checked = readOptions(RULES, given) as unknown as Omit<Settings, "structures" | "plain">;
  const plain = new PlainDecoder(Object.fromEntries(PLAIN.map((name) => [name, ownOption(given, name)])));
  return { ...checked, plain, structures: structuresOption(ownOption(given, "structures")) };
}

function structuresOption(given: unknown): (Structure | undefined)[] | undefined {
  if (given === undefined) return undefined;
  const list = Array.isArray(given) ? (given as unknown[]) : readFile(given as BytesInput);
  if (!Array.isArray(list)) {
    const typed = list instanceof Object && Object.hasOwn(list, "typed");
    const hint = typed ? ": randomAccessStructure wrote them, whose records only msgpackr 1 and structon read" : "";
    throw invalidArgument(`structures must be an array of arrays of keys, not ${describe(list)}${hint}`);
  }
  return Array.from(list, (keys: unknown, i) => {
    if (keys === null || keys === undefined) return undefined;
    if (Array.isArray(keys) && keys.every((key) => typeof key === "string")) return new Structure([...keys]);
    throw invalidArgument(`structures[${i}] must be an array of strings, not ${describe(keys)}`);
  });
}

function readFile(given: BytesInput): unknown {
  try {
    return decode(given);
  } catch (cause) {
    throw invalidArgument(`structures: ${(cause as Error).message}`, cause);
  }
}
