/** Recognises the format of a pipe, whose name shows none, by its first bytes. */
import type { Format } from "./formats.js";
import type { ByteWindow } from "./input.js";

/** The first bytes of a PCK container: PCK, version 1. */
const CONTAINER = [0x50, 0x43, 0x4b, 0x01];
/** The byte order mark of UTF-8. */
const MARK = [0xef, 0xbb, 0xbf];
/** Bytes after which a value that still has no end is taken for JSON: a larger line of NDJSON needs --from. */
const MOST = 1024 * 1024;

const LINE_FEED = 0x0a;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];
/** What may follow `{`: the first key, or the end. Then the text is JSON, and not small integers of MessagePack. */
const IN_OBJECT = new Set([QUOTE, CLOSE_OBJECT]);
/** The first characters of values: { [ " - 0 to 9, and of the words true, false and null. */
const VALUES = new Set(Buffer.from('{["-0123456789tfn', "latin1"));
const WORDS = new Map(["true", "false", "null"].map((word) => [word.charCodeAt(0), Buffer.from(word, "latin1")]));
const IN_LIST = new Set([...VALUES, CLOSE_LIST]);

/** A format that was recognised. */
export interface Sniffed {
  readonly format: Exclude<Format, "message">;
  /** False for a text that may also be small integers of MessagePack, such as 12. */
  readonly isCertain: boolean;
  /** True for a list of JSON. */
  readonly isList?: boolean;
}

/**
 * Returns the format of an input; undefined for an empty one and for other text. `perLine`: a first line that is one value is NDJSON, so that the
 * lines of a pipe can be read as they arrive; else the next line decides.
 */
export async function sniff(window: ByteWindow, perLine = false): Promise<Sniffed | undefined> {
  if (!(await window.reach(1))) return undefined;
  if (window.view()[0] === CONTAINER[0] && (await window.reach(CONTAINER.length)) && startsWith(window, CONTAINER))
    return { format: "pck", isCertain: true };
  const begin = await afterBlanks(window, (await startsWithMark(window)) ? MARK.length : 0);
  const first = window.view()[begin];
  if (first === undefined) return undefined;
  // In MessagePack, text is small integers: a single one is the whole message.
  if (!VALUES.has(first)) return isText(first) ? undefined : { format: "msgpack", isCertain: true };
  const word = WORDS.get(first);
  if (
    word !== undefined &&
    !((await window.reach(begin + word.length)) && word.equals(window.view().subarray(begin, begin + word.length)))
  )
    return undefined;
  const next = window.view()[await afterBlanks(window, begin + 1)];
  const isCertain =
    (first === OPEN_OBJECT && next !== undefined && IN_OBJECT.has(next)) ||
    (first === OPEN_LIST && next !== undefined && IN_LIST.has(next));
  return { format: await jsonOrLines(window, begin, perLine), isCertain, isList: first === OPEN_LIST };
}

function startsWith(window: ByteWindow, bytes: readonly number[]): boolean {
  const view = window.view();
  return bytes.every((byte, i) => view[i] === byte);
}

async function startsWithMark(window: ByteWindow): Promise<boolean> {
  return window.view()[0] === MARK[0] && (await window.reach(MARK.length)) && startsWith(window, MARK);
}

/** Returns the index of the first byte from `at` on that is not blank; the size of the input if there is none. */
async function afterBlanks(window: ByteWindow, at: number): Promise<number> {
  for (let i = at; ; i++) {
    if (!(await window.reach(i + 1))) return i;
    if (!isBlank(window.view()[i]!)) return i;
  }
}

function isText(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

/** NDJSON has a value that ends on its line, and another value after it. */
async function jsonOrLines(window: ByteWindow, begin: number, perLine: boolean): Promise<"json" | "ndjson"> {
  let depth = 0;
  let inText = false;
  for (let i = begin; i < MOST; i++) {
    if (i >= window.size && !(await window.reach(i + 1))) return perLine ? "ndjson" : "json";
    const byte = window.view()[i]!;
    if (inText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inText = false;
      continue;
    }
    if (byte === QUOTE) inText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === LINE_FEED) {
      if (depth > 0) return "json";
      return perLine || (await window.reach((await afterBlanks(window, i)) + 1)) ? "ndjson" : "json";
    }
  }
  return "json";
}
