import { extname } from "node:path";
import { UsageError } from "./failure.js";

/** What a file can hold: one JSON value, one JSON value a line, or MessagePack. */
export type Format = "json" | "ndjson" | "msgpack";

const BY_EXTENSION = new Map<string, Format>([
  [".json", "json"],
  [".ndjson", "ndjson"],
  [".jsonl", "ndjson"],
  [".msgpack", "msgpack"],
  [".mp", "msgpack"],
  [".mpk", "msgpack"],
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
}

/** Settles both formats from options, then names, then from each other: the other side of JSON is MessagePack. */
export function settleFormats(request: FormatRequest): { from: Format; to: Format } {
  const named = { from: request.from ?? formatOf(request.input), to: request.to ?? formatOf(request.output) };
  if (named.from === undefined && request.input !== "-") throw unknownFormat(request.input, "--from");
  if (named.to === undefined && request.output !== "-") throw unknownFormat(request.output, "--to");
  const from = named.from ?? (named.to && otherSide(named.to));
  if (from === undefined)
    throw new UsageError("standard input has no name to tell its format: add --from json, ndjson or msgpack");
  return { from, to: named.to ?? otherSide(from) };
}

function otherSide(format: Format): Format {
  return format === "msgpack" ? "json" : "msgpack";
}

function unknownFormat(path: string, option: string): UsageError {
  const known = [...BY_EXTENSION.keys()].join(" ");
  return new UsageError(`the name ${path} does not tell a format (${known}): add ${option} json, ndjson or msgpack`);
}
