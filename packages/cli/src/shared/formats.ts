import { extname } from "node:path";
import { descriptorOf } from "./descriptors.js";
import { UsageError } from "./failure.js";

/** The content of a file: one JSON value, one JSON value per line, MessagePack, a PCK container, or one PCK message. */
export type Format = "json" | "ndjson" | "msgpack" | "pck" | "message";

const BY_EXTENSION = new Map<string, Format>([
  [".json", "json"],
  [".ndjson", "ndjson"],
  [".jsonl", "ndjson"],
  [".msgpack", "msgpack"],
  [".mp", "msgpack"],
  [".mpk", "msgpack"],
  [".pck", "pck"],
]);

/** Returns the format of a file's extension, or undefined. */
export function formatOf(path: string): Format | undefined {
  return BY_EXTENSION.get(extname(path).toLowerCase());
}

/** True for an input without a name: a pipe, whose first bytes show its format. */
export function isUnnamed(path: string): boolean {
  return path === "-" || descriptorOf(path) !== undefined;
}

/** The options --from and --to, and the paths of input and output. */
export interface FormatRequest {
  readonly input: string;
  readonly output: string;
  readonly from: Format | undefined;
  readonly to: Format | undefined;
  /** A schema is given: a name without a known extension then means PCK. */
  readonly hasSchema: boolean;
  /** The input is known to have no bytes. */
  readonly isEmpty: boolean;
}

/** Determines both formats: from the options, then from the names, then from each other (JSON pairs with MessagePack). */
export function settleFormats(request: FormatRequest): { from: Format; to: Format } {
  const { input, output, hasSchema } = request;
  const named = {
    from: request.from ?? formatOf(input) ?? byItsSchema(input, hasSchema, "--from"),
    to: request.to ?? formatOf(output) ?? byItsSchema(output, hasSchema, "--to"),
  };
  const from = named.from ?? (named.to && otherSide(named.to, hasSchema));
  if (from === undefined) throw undeterminedFormat(input, request.isEmpty, CHOICES);
  return { from, to: named.to ?? otherSide(from, hasSchema) };
}

/** Extensions of PCK messages, if there is a schema. */
const MESSAGE_EXTENSIONS = new Set([".bin", ""]);

/** With a schema, a file without an extension is a PCK message, and so is .bin. For a pipe, the format of the other side decides. */
function byItsSchema(path: string, hasSchema: boolean, option: string): Format | undefined {
  if (isUnnamed(path)) return undefined;
  if (hasSchema && MESSAGE_EXTENSIONS.has(extname(path).toLowerCase())) return "message";
  throw unknownFormat(path, option, hasSchema);
}

/** Lines hold many values, as containers and sequences do; JSON holds one. */
function otherSide(format: Format, hasSchema: boolean): Format {
  if (format === "pck") return "ndjson";
  if (format === "msgpack" || format === "message") return "json";
  return !hasSchema ? "msgpack" : format === "ndjson" ? "pck" : "message";
}

const CHOICES = "json, ndjson, msgpack or pck";
/** The formats whose values are read without a schema. */
export const FORMATS_WITHOUT_SCHEMA = "json, ndjson or msgpack";

/** The error for an input whose name and bytes do not show its format. */
export function undeterminedFormat(input: string, isEmpty: boolean, choices: string): UsageError {
  const reason = isEmpty ? ", since it is empty" : "";
  return new UsageError(
    `the format of ${input === "-" ? "standard input" : input} is unknown${reason}: add --from ${choices}`,
  );
}

function unknownFormat(path: string, option: string, hasSchema: boolean): UsageError {
  const known = [...BY_EXTENSION.keys(), ...(hasSchema ? [".bin"] : [])].join(" ");
  const choices = hasSchema ? "json, ndjson, pck or message" : `${CHOICES}, or --schema for a PCK message`;
  return new UsageError(`the format of ${path} is unknown (known extensions: ${known}): add ${option} ${choices}`);
}
