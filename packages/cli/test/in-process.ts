import { readFileSync } from "node:fs";
import { join } from "node:path";
import { JsonSink } from "../src/convert/json-sink.js";
import { readJson, readNdjson } from "../src/convert/json-source.js";
import { MsgpackSink } from "../src/convert/msgpack-sink.js";
import { readMsgpack } from "../src/convert/msgpack-source.js";
import type { Format } from "../src/shared/formats.js";
import { ByteWindow } from "../src/shared/input.js";
import { Output } from "../src/shared/output.js";
import { emptyFolder } from "./run.js";

/** Options of a conversion within this process: input in pieces of `chunk` bytes, values above `wholeBytes` in parts. */
export interface Conversion {
  readonly from: Format;
  readonly to: Format;
  readonly typed?: boolean;
  readonly indent?: number;
  readonly bigIntegers?: boolean;
  readonly chunk?: number;
  readonly wholeBytes?: number;
  /** The size of the input is unknown, as for a pipe. */
  readonly pipe?: boolean;
}

const folder = emptyFolder();

/** A window over bytes that arrive in pieces of `chunk`. */
export function windowOf(input: Uint8Array, chunk: number, pipe: boolean): ByteWindow {
  let at = 0;
  return new ByteWindow(
    async (target) => {
      const part = input.subarray(at, at + Math.min(target.length, chunk));
      target.set(part);
      at += part.length;
      return part.length;
    },
    pipe ? undefined : input.length,
    async () => {},
  );
}

/** Converts bytes as the command does. */
export async function convertBytes(input: Uint8Array, conversion: Conversion): Promise<Buffer> {
  const {
    from,
    to,
    typed = false,
    indent = 0,
    bigIntegers = false,
    chunk = Infinity,
    wholeBytes = 1 << 20,
    pipe = false,
  } = conversion;
  const window = windowOf(input, chunk, pipe);
  const path = join(folder, "out");
  const output = Output.open(path);
  const sink =
    to === "msgpack"
      ? new MsgpackSink(output, { canonical: false, maxDepth: 512 })
      : new JsonSink(output, { typed, indent, bigIntegers });
  const reading = { typed, maxDepth: 512, wholeBytes };
  try {
    if (from === "json") await readJson(window, sink, reading);
    else if (from === "ndjson") await readNdjson(window, sink, reading);
    else await readMsgpack(window, sink, { ...reading, single: to === "json" });
  } catch (error) {
    sink.discard();
    throw error;
  }
  return readFileSync(path);
}
