/**
 * The files of a dictionary. This module imports no codec, since every case's process loads it and its memory is
 * measured.
 */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as zlib from "node:zlib";

/** The form in which a dictionary is stored. */
export const FORMS = [
  { id: "pretty", title: "JSON, pretty", file: "pretty.json" },
  { id: "json", title: "JSON, minified", file: "minified.json" },
  { id: "msgpack", title: "MessagePack", file: "dictionary.msgpack" },
  { id: "pck", title: "PCK", file: "dictionary.pck" },
] as const;

/** How a form is compressed. */
export type Packing = "plain" | "gzip" | "zstd";
export const PACKINGS: readonly Packing[] = ["plain", "gzip", "zstd"];
const SUFFIX: Record<Packing, string> = { plain: "", gzip: ".gz", zstd: ".zst" };

/** In Node from 22.15 on; Bun and Deno have it. */
interface Zstd {
  readonly zstdCompressSync?: (bytes: Uint8Array) => Uint8Array;
  readonly zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array;
}

/** The file of a form in a folder. */
export function fileOf(folder: string, form: string, packing: Packing = "plain"): string {
  const known = FORMS.find(({ id }) => id === form);
  if (known === undefined) throw new RangeError(`no form ${form}`);
  return join(folder, known.file + SUFFIX[packing]);
}

/** Decompresses with the runtime's own functions; undefined if it has none. */
export function unpacker(packing: Packing): ((bytes: Uint8Array) => Uint8Array) | undefined {
  if (packing === "plain") return (bytes) => bytes;
  return packing === "gzip" ? (bytes) => zlib.gunzipSync(bytes) : (zlib as Zstd).zstdDecompressSync;
}

/** Compresses the forms with zstd. Returns false if this runtime cannot. */
export function packZstd(folder: string, read: (path: string) => Uint8Array): boolean {
  const pack = (zlib as Zstd).zstdCompressSync;
  if (pack === undefined) return false;
  for (const { id } of FORMS) writeFileSync(fileOf(folder, id, "zstd"), pack(read(fileOf(folder, id))));
  return true;
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
