import { readFileSync } from "node:fs";
import { join } from "node:path";
import { JsonSink } from "../src/convert/jsonSink.js";
import { readJson, readNdjson } from "../src/convert/jsonSource.js";
import { MsgpackSink } from "../src/convert/msgpackSink.js";
import { readMsgpack } from "../src/convert/msgpackSource.js";
import type { Format } from "../src/shared/formats.js";
import { ByteWindow } from "../src/shared/input.js";
import { Output } from "../src/shared/output.js";
import { emptyFolder } from "./run.js";

/** A conversion without a process, for properties: in pieces of `chunk` bytes, larger values than `wholeBytes` in parts. */
export interface Conversion {
  readonly from: Format;
  readonly to: Format;
  readonly typed?: boolean;
  readonly indent?: number;
  readonly bigIntegers?: boolean;
  readonly chunk?: number;
  readonly wholeBytes?: number;
  /** The input's size is not known, as a pipe's. */
  readonly pipe?: boolean;
}

const folder = emptyFolder();

/** A window over bytes that come in pieces of `chunk`. */
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
