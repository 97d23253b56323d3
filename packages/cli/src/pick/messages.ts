/** The values that `moonpack pick` takes from each message of an input. */
import { Encoder } from "moonpack";
import type { Picker } from "moonpack/pick";
import { decodeStream } from "moonpack/stream";
import { JsonReader } from "../convert/json-reader.js";
import { isBlank } from "../convert/json-scanner.js";
import type { ByteWindow } from "../shared/input.js";

/** Formats that can be picked from. */
export const PICK_FORMATS = ["json", "ndjson", "msgpack"] as const;

/** The content of the input. */
export interface PickSource {
  readonly format: (typeof PICK_FORMATS)[number];
  /** MessagePack: any number of messages. */
  readonly sequence: boolean;
  /** JSON: objects such as `{"$bin": ..}` stand for other values. */
  readonly typed: boolean;
}

type AnyPicker = Picker<readonly string[], boolean>;

const MAX_DEPTH = 512;
const LINE_FEED = 0x0a;

/** Returns the values of each message. Only the current message is held. */
export function pickedFrom(window: ByteWindow, source: PickSource, picker: AnyPicker): AsyncIterable<unknown> {
  if (source.format !== "msgpack") return fromJson(window, source, picker);
  return source.sequence ? decodeStream(chunksOf(window), { pick: picker }) : fromMessage(window, picker);
}

async function* fromMessage(window: ByteWindow, picker: AnyPicker): AsyncGenerator<unknown> {
  yield picker.decode(await window.reachEnd());
}

/** The window's bytes are valid until the next chunk is taken. */
async function* chunksOf(window: ByteWindow): AsyncGenerator<Uint8Array> {
  while (await window.reach(1)) {
    yield window.view();
    window.consume(window.size);
  }
}

/** JSON is picked from as MessagePack, so that paths, equal keys and limits are the same. */
async function* fromJson(window: ByteWindow, { format, typed }: PickSource, picker: AnyPicker) {
  const encoder = new Encoder({ maxDepth: MAX_DEPTH });
  const reading = { typed, maxDepth: MAX_DEPTH, wholeBytes: Infinity };
  const reader = new JsonReader(window, reading, format === "ndjson");
  await reader.skipByteOrderMark();
  const pickAt = (end: number): unknown => picker.decode(encoder.encodeShared(reader.textAt(window.start, end)));
  if (format === "json") {
    await window.reach(Infinity);
    yield pickAt(window.end);
    return;
  }
  while (await window.reach(1)) {
    const size = await lineSize(window);
    let blanks = 0;
    while (blanks < size && isBlank(window.bytes[window.start + blanks]!)) blanks++;
    window.consume(blanks);
    if (blanks < size) yield pickAt(window.start + size - blanks);
    window.consume(Math.min(size - blanks + 1, window.size));
  }
}

/** Reads a whole line. Returns its bytes, without the line feed. Each byte is searched once. */
async function lineSize(window: ByteWindow): Promise<number> {
  let seen = 0;
  for (;;) {
    const at = window.view().indexOf(LINE_FEED, seen);
    if (at >= 0) return at;
    seen = window.size;
    if (!(await window.more())) return seen;
  }
}
