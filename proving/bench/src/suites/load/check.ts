import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type Case, cases } from "./cases.js";
import { fileOf } from "./files.js";

/**
 * Ids of the cases that this runtime can run. Throws when one returns another document, or bytes other than its file's.
 */
export async function ableCases(folder: string, list: readonly Case[] = cases): Promise<string[]> {
  const document: unknown = JSON.parse(readFileSync(fileOf(folder, "json"), "utf8"));
  const able: string[] = [];
  for (const { id, form, gives, ready } of list) {
    const load = await ready(folder);
    if (load === undefined) continue;
    const result = await load();
    const equal =
      gives === "document" ? isDeepStrictEqual(result, document) : hasBytes(result, readFileSync(fileOf(folder, form)));
    if (!equal) throw new Error(`${id} returns another document`);
    able.push(id);
  }
  return able;
}

/** True for these bytes, or for a text with these bytes in UTF-8. */
function hasBytes(result: unknown, bytes: Uint8Array): boolean {
  if (typeof result === "string") return Buffer.from(result).equals(bytes);
  return result instanceof Uint8Array && Buffer.compare(result, bytes) === 0;
}
