import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type Case, cases } from "./cases.js";
import { fileOf } from "./files.js";

/** Throws an Error if a case returns another document. */
export async function checkCases(folder: string, list: readonly Case[] = cases): Promise<void> {
  const document: unknown = JSON.parse(readFileSync(fileOf(folder, "json"), "utf8"));
  for (const { id, ready } of list) {
    const load = await ready(folder);
    if (!isDeepStrictEqual(await load(), document)) throw new Error(`${id} returns another document`);
  }
}
