/** The options of emitted Go. */
import { countOption, ELEMENTS_RULE, invalidArgument, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import type { OlderSchemas } from "../older-schemas/versions.js";
import type { EmittedPicks } from "../picks/picks.js";
import { KEYWORDS } from "./reserved-names.js";

/** A thing that is named in Go. */
export interface GoSubject {
  /** The kind of thing. `"value"` is a value of an enumeration, `"arm"` the wrapper of a union's arm. */
  readonly kind: "struct" | "field" | "enumeration" | "value" | "union" | "arm";
  /** The name in the schema; for an enumeration or union, the field's name. */
  readonly name: string;
  /** The name of its struct in the schema; "" for none. */
  readonly struct: string;
  /** The field that it belongs to; "" for a struct. */
  readonly field: string;
}

/** A value whose Go type can be chosen: a field's value, or a value within it. */
export interface GoPlace {
  /** The name of its struct in the schema; "" for none. */
  readonly struct: string;
  /** The field's name in the schema. */
  readonly name: string;
  /**
   * "" for the field's whole value; `"element"` for a list's elements, `"key"` and `"value"` for a map,
   * `"value.element"` for lists in a map, and so on. A nullable value has the same place as its value.
   */
  readonly part: string;
}

/** How Go makes a new value. */
export interface GoFactory {
  /** An expression for a pointer to the value. It must never be nil: `itemPool.Get().(*Item)`. */
  readonly make: string;
  /** The import path of the package that it needs, if any. */
  readonly import?: string;
}

/** A type of the caller's choice. */
export interface GoFieldType {
  /** The type's name as it appears in the file: `UserID`, `ids.User`. */
  readonly type: string;
  /** The import path of the package that it needs, if any. */
  readonly import?: string;
}

/** Options of {@link emitGo}. */
export interface GoOptions {
  /** The package of the emitted files; `main` for files beside a program's own. */
  readonly package: string;
  /** The emitted file's name. Default `pck.go`. */
  readonly file?: string;
  /**
   * `"beside"` (the default) writes a small runtime to a file beside the code, in the same package. Any other text is
   * the import path of a runtime, for example this repository's `moonpack/pck`.
   */
  readonly runtime?: string;
  /**
   * `"copy"` (the default) copies strings. `"view"` returns views of the message, whose bytes must not change while
   * the strings are in use.
   */
  readonly strings?: "copy" | "view";
  /**
   * How many elements a message may make; more are `ERR_LIMIT_ELEMENTS`. In Go an element is 32 bytes of memory in
   * lists, maps, arms, and structs behind pointers. Default: two elements for each byte and 2^20 more; types that
   * never take as much are not counted. `Infinity`: no limit.
   */
  readonly maxElements?: number;
  /** Chooses names. `proposed` is the default name; "" if Go cannot have it. */
  readonly names?: (subject: GoSubject, proposed: string) => string;
  /**
   * Chooses the type of a bool, number, text, byte string, list or map: a named type whose underlying type is `go`,
   * the default. undefined keeps `go`. Called for elements, keys and values before the list or map itself.
   */
  readonly types?: (place: GoPlace, go: string) => GoFieldType | undefined;
  /**
   * Whether a required reference, or one in a list or map, is a pointer. Such a pointer must not be nil. Default
   * false.
   */
  readonly pointers?: (place: GoPlace) => boolean;
  /**
   * Chooses how to make a struct, or the wrapper of an arm, that a pointer needs while a message is read, for example
   * from a pool. The value may hold old data, since every field is written. undefined keeps `go`, which is
   * `new(Item)`.
   */
  readonly factories?: (subject: GoSubject, go: string) => GoFactory | undefined;
  /** Chooses the receiver's name in a struct's methods. Default `v`. */
  readonly receivers?: (struct: GoSubject, proposed: string) => string;
  /** Older schemas, whose bytes are read as values of the new ones: `{ V1: PlayerV1 }` adds `UnmarshalBinaryFromV1`. */
  readonly older?: OlderSchemas;
  /** Types that hold only some fields of messages: `{ OrderRoute: { of: "Order", paths: { id: "id" } } }` adds `OrderRoute`. */
  readonly picks?: EmittedPicks;
}

/** The options with defaults. */
export type GoSettings = Required<Omit<GoOptions, "older" | "picks">>;

const HOOKS = ["names", "types", "pointers", "factories", "receivers"] as const;
/** The options that regions have too. */
export const COMMON_OPTIONS: readonly string[] = ["runtime", "strings", "maxElements", ...HOOKS, "older"];

/** Checks the options and adds defaults. Throws `ERR_INVALID_ARGUMENT` for the first unknown or invalid option. */
export function goSettings(options: GoOptions): GoSettings {
  const given = optionsObject(options);
  refuseUnknown(given, ["package", "file", "picks", ...COMMON_OPTIONS]);
  const option = (name: keyof GoOptions) => ownOption(given, name);
  const name = option("package");
  if (typeof name !== "string" || !/^[A-Za-z_]\w*$/.test(name) || name === "_" || KEYWORDS.has(name)) {
    throw invalidArgument("package must be the name of a Go package");
  }
  const file = option("file") ?? "pck.go";
  if (typeof file !== "string" || !/^[\w-][\w.-]*\.go$/.test(file) || file.toLowerCase() === RUNTIME_FILE) {
    throw invalidArgument("file must be the name of a .go file");
  }
  const runtime = option("runtime") ?? "beside";
  if (typeof runtime !== "string" || !IMPORT_PATH.test(runtime)) {
    throw invalidArgument('runtime must be "beside" or the path of a package');
  }
  const strings = option("strings") ?? "copy";
  if (strings !== "copy" && strings !== "view") throw invalidArgument('strings must be "copy" or "view"');
  const maxElements = countOption("maxElements", option("maxElements"), ...ELEMENTS_RULE);
  const hook = <K extends (typeof HOOKS)[number]>(name: K, otherwise: GoSettings[K]): GoSettings[K] => {
    const value = option(name);
    if (value === undefined) return otherwise;
    if (typeof value !== "function") throw invalidArgument(`${name} must be a function`);
    return value as GoSettings[K];
  };
  return {
    package: name,
    file,
    runtime,
    strings,
    maxElements,
    names: hook("names", (_, proposed) => proposed),
    types: hook("types", () => undefined),
    pointers: hook("pointers", () => false),
    factories: hook("factories", () => undefined),
    receivers: hook("receivers", (_, proposed) => proposed),
  };
}

/** The import paths that are accepted. */
export const IMPORT_PATH = /^[\w.~-]+(?:\/[\w.~-]+)*$/;

/** The name of the file that holds the runtime. */
export const RUNTIME_FILE = "pck_runtime.go";
