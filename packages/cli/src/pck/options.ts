import { UsageError } from "../shared/failure.js";
import type { Format } from "../shared/formats.js";

/** The options of `moonpack convert` that matter to PCK. */
export interface PckOptions {
  readonly schema?: string;
  readonly export?: string;
  readonly framed: boolean;
  readonly pretty: boolean;
  readonly typed: boolean;
  readonly bigIntegers: boolean;
  readonly canonical: boolean;
}

/** Is it a format of PCK? */
export function isPck(format: Format): boolean {
  return format === "pck" || format === "message";
}

/** Refuses what makes no sense, before any file is opened. */
export function checkPckOptions(from: Format, to: Format, output: string, options: PckOptions): void {
  if (from === "msgpack" || to === "msgpack")
    throw new UsageError("PCK goes to JSON and NDJSON, and comes from them: convert twice, by a pipe of NDJSON");
  if (options.typed || options.bigIntegers || options.canonical)
    throw new UsageError("--typed, --big-integers and --canonical are not for PCK: its schema settles all that");
  if (options.pretty && to !== "json") throw new UsageError(`--pretty is for JSON output, and the output is ${to}`);
  if (from === "ndjson" && to === "message")
    throw new UsageError("NDJSON holds many values, a message one: --to pck keeps them all");
  if (from !== "pck" && options.schema === undefined) throw new UsageError("PCK needs a schema: --schema FILE");
  if (options.framed && from !== "message" && to !== "message")
    throw new UsageError("--framed is for a message, and neither side is one");
  if (options.export !== undefined && options.schema === undefined)
    throw new UsageError("--export names what the module of --schema exports, and there is none");
  if (isPck(to) && output === "-" && process.stdout.isTTY)
    throw new UsageError("PCK is no text for a terminal: name an output file, or pipe it");
}
