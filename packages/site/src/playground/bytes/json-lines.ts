// Lines of JSON (NDJSON): each line is a message.
import { encode } from "moonpack";
import { parseJson } from "../shared/exact-json.ts";

/** Each line of JSON as a message of MessagePack, one after another. Throws an Error with the line that is broken. */
export function encodeLines(text: string): Uint8Array<ArrayBuffer> {
  const messages: Uint8Array[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      messages.push(encode(parseJson(line)));
    } catch (error) {
      throw new Error(`Line ${index + 1}: ${(error as Error).message}`, { cause: error });
    }
  }
  const bytes = new Uint8Array(messages.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const message of messages) {
    bytes.set(message, at);
    at += message.length;
  }
  return bytes;
}

/** True for several lines whose first one alone is an object or array of JSON. */
export function looksLikeLines(text: string): boolean {
  const [, first] = /^\s*([{[][^\n]*)\n\s*\S/.exec(text) ?? [];
  if (first === undefined) return false;
  try {
    parseJson(first);
    return true;
  } catch {
    return false;
  }
}
