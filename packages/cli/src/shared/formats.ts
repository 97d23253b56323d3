import { extname } from "node:path";
import { UsageError } from "./failure.js";

/** What a file can hold: one JSON value, one JSON value a line, MessagePack, a PCK container, or one PCK message. */
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

/** The format that a file's name promises, or undefined. */
export function formatOf(path: string): Format | undefined {
  return BY_EXTENSION.get(extname(path).toLowerCase());
}

/** What a user asks for with --from and --to, and the names that they gave. */
export interface FormatRequest {
  readonly input: string;
  readonly output: string;
  readonly from: Format | undefined;
  readonly to: Format | undefined;
  /** A schema is given: what no name tells is PCK. */
  readonly hasSchema: boolean;
}

/** Settles both formats from options, then names, then from each other: the other side of JSON is binary. */
export function settleFormats(request: FormatRequest): { from: Format; to: Format } {
  const { input, output, hasSchema } = request;
  const named = {
    from: request.from ?? formatOf(input) ?? byItsSchema(input, hasSchema, "--from"),
    to: request.to ?? formatOf(output) ?? byItsSchema(output, hasSchema, "--to"),
  };
  const from = named.from ?? (named.to && otherSide(named.to, hasSchema));
  if (from === undefined) throw new UsageError(`standard input has no name to tell its format: add --from ${CHOICES}`);
  return { from, to: named.to ?? otherSide(from, hasSchema) };
}

/** A file whose name tells nothing is a message, if there is a schema for it; of a pipe the other side tells more. */
function byItsSchema(path: string, hasSchema: boolean, option: string): Format | undefined {
  if (path === "-") return undefined;
  if (hasSchema) return "message";
  throw unknownFormat(path, option);
}

/** Lines are many values, as containers and sequences are; JSON is one. */
function otherSide(format: Format, hasSchema: boolean): Format {
  if (format === "pck") return "ndjson";
  if (format === "msgpack" || format === "message") return "json";
  return !hasSchema ? "msgpack" : format === "ndjson" ? "pck" : "message";
}

const CHOICES = "json, ndjson, msgpack or pck";

function unknownFormat(path: string, option: string): UsageError {
  const known = [...BY_EXTENSION.keys()].join(" ");
  return new UsageError(
    `the name ${path} does not tell a format (${known}): add ${option} ${CHOICES}, or --schema for a PCK message`,
  );
}
