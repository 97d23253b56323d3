import { UsageError } from "../shared/failure.js";
import type { Format } from "../shared/formats.js";

/** Options of `moonpack convert` that apply to PCK. */
export interface PckOptions {
  readonly schema?: string;
  readonly export?: string;
  readonly framed: boolean;
  readonly pretty: boolean;
  readonly typed: boolean;
  readonly bigIntegers: boolean;
  readonly canonical: boolean;
  readonly maxElements?: number;
}

/** True for a container or a message. */
export function isPck(format: Format): boolean {
  return format === "pck" || format === "message";
}

/** Throws for options that do not fit together, before any file is opened. */
export function checkPckOptions(from: Format, to: Format, output: string, options: PckOptions): void {
  if (from === "msgpack" || to === "msgpack")
    throw new UsageError("PCK converts only to and from JSON and NDJSON: convert to NDJSON first, then convert that");
  if (options.typed || options.bigIntegers || options.canonical)
    throw new UsageError("--typed, --big-integers and --canonical cannot be used with PCK: the schema sets the types");
  if (options.pretty && to !== "json") throw new UsageError(`--pretty needs JSON output, but the output is ${to}`);
  if (from === "ndjson" && to === "message")
    throw new UsageError("NDJSON holds many values, but a message holds one: use --to pck");
  if (from !== "pck" && options.schema === undefined) throw new UsageError("PCK needs a schema: add --schema FILE");
  if (options.framed && from !== "message" && to !== "message")
    throw new UsageError("--framed needs a PCK message, but neither input nor output is one");
  if (options.export !== undefined && options.schema === undefined)
    throw new UsageError("--export needs --schema with a module");
  if (isPck(to) && output === "-" && process.stdout.isTTY)
    throw new UsageError("PCK is binary and cannot be shown in a terminal: name an output file, or use a pipe");
}
