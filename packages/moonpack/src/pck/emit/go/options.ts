/** How Go is emitted. */
import { invalidArgument } from "../../../bytes/errors.js";
import { optionsObject, ownOption } from "../../../bytes/options.js";
import type { OlderSchemas } from "../older.js";
import { KEYWORDS } from "./words.js";

/** What is named in Go. */
export interface GoSubject {
  /** A struct, a field, an enumeration or one of its values, a union or the wrapper of one of its arms. */
  readonly kind: "struct" | "field" | "enumeration" | "value" | "union" | "arm";
  /** Its name in the schema; of an enumeration or union, the field's. */
  readonly name: string;
  /** The name of its struct in the schema; "" for none. */
  readonly struct: string;
  /** The field that it belongs to; "" for a struct. */
  readonly field: string;
}

/** A value whose type in Go is chosen: a field's own, or one within it. */
export interface GoPlace {
  /** The name of its struct in the schema; "" for none. */
  readonly struct: string;
  /** The field's name in the schema. */
  readonly name: string;
  /**
   * "" for the field's value as a whole; `"element"` of a list, `"key"` and `"value"` of a map, `"value.element"` of lists in a
   * map, and so on. What may be nil is the same place as its value.
   */
  readonly part: string;
}

/** How Go makes a new value. */
export interface GoFactory {
  /** An expression for a pointer to it, which is never nil: `itemPool.Get().(*Item)`. */
  readonly make: string;
  /** The package to import for it, if any. */
  readonly import?: string;
}

/** A type of one's own. */
export interface GoFieldType {
  /** Its name as it stands in the file: `UserID`, `ids.User`. */
  readonly type: string;
  /** The package to import for it, if any. */
  readonly import?: string;
}

/** Options of {@link emitGo}. */
export interface GoOptions {
  /** The package of the emitted files; `main` for files beside a program's own. */
  readonly package: string;
  /** The emitted file's name. Default `pck.go`. */
  readonly file?: string;
  /**
   * `"beside"`: a small runtime is written beside the file, into the same package. An import path: that package is used, as
   * is this repository's `moonpack/pck`. Default `"beside"`.
   */
  readonly runtime?: string;
  /** Strings are copies, or views of the message, which nobody may change then while they are in use. Default `"copy"`. */
  readonly strings?: "copy" | "view";
  /** Chooses names. `proposed` is what Go would have, "" where it has none. */
  readonly names?: (subject: GoSubject, proposed: string) => string;
  /**
   * Chooses the type of a bool, number, text, bytes, list or map: a named type whose underlying type is `go`, its own type.
   * undefined: `go`. Asked of what lies in lists and maps too, before they are.
   */
  readonly types?: (place: GoPlace, go: string) => GoFieldType | undefined;
  /** Should a required reference, or one in a list or map, be a pointer? It must not be nil then. Default false. */
  readonly pointers?: (place: GoPlace) => boolean;
  /**
   * Chooses what makes a struct, or the wrapper of an arm, to which a pointer is needed when a message is read: from a pool, say.
   * It may hold old values; every field is written. undefined: `go`, which is `new(Item)`.
   */
  readonly factories?: (subject: GoSubject, go: string) => GoFactory | undefined;
  /** Chooses the name of a struct's receiver in its methods. Default `v`. */
  readonly receivers?: (struct: GoSubject, proposed: string) => string;
  /** Older schemas, whose bytes are read as values of these: `UnmarshalBinaryFromV1` for `{ V1: PlayerV1 }`. */
  readonly from?: OlderSchemas;
}

/** The options, complete. */
export type GoSettings = Required<Omit<GoOptions, "from">>;

/** `ERR_INVALID_ARGUMENT` names the first option that makes no sense. */
export function goSettings(options: GoOptions): GoSettings {
  const given = optionsObject(options);
  const option = (name: keyof GoOptions) => ownOption(given, name);
  const name = option("package");
  if (typeof name !== "string" || !/^[A-Za-z_]\w*$/.test(name) || name === "_" || KEYWORDS.has(name)) {
    throw invalidArgument("package must be the name of a Go package");
  }
  const file = option("file") ?? "pck.go";
  if (typeof file !== "string" || !/^[\w-][\w.-]*\.go$/.test(file) || file === RUNTIME_FILE) {
    throw invalidArgument("file must be the name of a .go file");
  }
  const runtime = option("runtime") ?? "beside";
  if (typeof runtime !== "string" || !IMPORT_PATH.test(runtime)) {
    throw invalidArgument('runtime must be "beside" or the path of a package');
  }
  const strings = option("strings") ?? "copy";
  if (strings !== "copy" && strings !== "view") throw invalidArgument('strings must be "copy" or "view"');
  for (const hook of ["names", "types", "pointers", "factories", "receivers"] as const) {
    const value = option(hook);
    if (value !== undefined && typeof value !== "function") throw invalidArgument(`${hook} must be a function`);
  }
  return {
    package: name,
    file,
    runtime,
    strings,
    names: (option("names") as GoOptions["names"]) ?? ((_, proposed) => proposed),
    types: (option("types") as GoOptions["types"]) ?? (() => undefined),
    pointers: (option("pointers") as GoOptions["pointers"]) ?? (() => false),
    factories: (option("factories") as GoOptions["factories"]) ?? (() => undefined),
    receivers: (option("receivers") as GoOptions["receivers"]) ?? ((_, proposed) => proposed),
  };
}

/** What an import path may consist of. */
export const IMPORT_PATH = /^[\w.~-]+(?:\/[\w.~-]+)*$/;

/** The file of the runtime that is carried beside. */
export const RUNTIME_FILE = "pck_runtime.go";
