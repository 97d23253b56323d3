/**
 * The files of a dictionary. This module imports no codec, since every case's process loads it and its memory is
 * measured.
 */
import { statSync } from "node:fs";
import { join } from "node:path";

/** The form in which a dictionary is stored. */
export const FORMS = [
  { id: "pretty", title: "JSON, pretty", file: "pretty.json" },
  { id: "json", title: "JSON, minified", file: "minified.json" },
  { id: "msgpack", title: "MessagePack", file: "dictionary.msgpack" },
  { id: "pck", title: "PCK", file: "dictionary.pck" },
] as const;

/** How a form is compressed. */
export type Packing = "plain" | "gzip";
export const PACKINGS: readonly Packing[] = ["plain", "gzip"];
const SUFFIX: Record<Packing, string> = { plain: "", gzip: ".gz" };

/** The file of a form in a folder. */
export function fileOf(folder: string, form: string, packing: Packing = "plain"): string {
  const known = FORMS.find(({ id }) => id === form);
  if (known === undefined) throw new RangeError(`no form ${form}`);
  return join(folder, known.file + SUFFIX[packing]);
}

/** Sizes of all files that exist. */
export function sizesOf(folder: string, form: string): Partial<Record<Packing, number>> {
  const sizes: Partial<Record<Packing, number>> = {};
  for (const packing of PACKINGS) {
    const stat = statSync(fileOf(folder, form, packing), { throwIfNoEntry: false });
    if (stat !== undefined) sizes[packing] = stat.size;
  }
  return sizes;
}
