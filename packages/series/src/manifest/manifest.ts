/**
 * The manifest (docs/series-format.md, "Manifest"): the list of a store's files. A new one is a new file with a greater number; its
 * name in the folder commits a round of sealing, a compaction or a delete.
 */
import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { BlockEntry } from "../blocks/block.js";
import { BLOCK_FORMAT } from "../blocks/format.js";
import type { Tombstone } from "../blocks/tombstones.js";
import { SeriesError } from "../errors.js";
import type { NamesEntry } from "../names/names-file.js";
import type { SummaryRecord } from "../summarize/record.js";

/** The format of a manifest with summaries: readers that do not know them would delete their files. */
const SUMMARY_FORMAT = 3;

/** The possible folders of a log. */
export const LOG_NAMES = ["log", "log2"] as const;
export type LogName = (typeof LOG_NAMES)[number];

/** The state of a store, without its log. */
export interface Manifest {
  /** The number of the manifest file. */
  readonly number: number;
  /** The identity of the store: 32 random hexadecimal digits. A backup has the identity of its store, until it is opened for writing. */
  readonly id: string;
  /** True for a backup that was never opened for writing: a later backup of the store may replace it. */
  readonly isBackup: boolean;
  /** The folder of the log. A backup that replaces an earlier one has its log in the other folder. */
  readonly log: LogName;
  /** The number of the next block or names file. Numbers are never used again. */
  readonly nextFile: number;
  /** The next metric id. */
  readonly nextId: number;
  /** The first file of the log that is still needed. */
  readonly firstLog: number;
  /** The greatest Unix minute that is sealed; -1 before the first. */
  readonly sealed: number;
  /** The last round of sealing; 0 before the first. */
  readonly generation: number;
  /** Points before this time, in milliseconds, are dropped. */
  readonly dropped: number;
  readonly blocks: readonly BlockEntry[];
  /** The oldest first. */
  readonly names: readonly NamesEntry[];
  readonly tombstones: readonly Tombstone[];
  /** Metrics that are forgotten, and still in a names file. */
  readonly forgotten: readonly number[];
  /** The kept windows. */
  readonly summaries: readonly SummaryRecord[];
}

/** Returns the identity of a new store. */
export function newId(): string {
  return randomBytes(16).toString("hex");
}

/** The manifest of a new store, without its identity. */
export const FIRST_MANIFEST: Manifest = /* @__PURE__ */ Object.freeze({
  number: 0,
  id: "",
  isBackup: false,
  log: "log",
  nextFile: 1,
  nextId: 0,
  firstLog: 1,
  sealed: -1,
  generation: 0,
  dropped: 0,
  blocks: [],
  names: [],
  tombstones: [],
  forgotten: [],
  summaries: [],
});

/** Returns the path of a manifest in the folder of a store. */
export function manifestName(number: number): string {
  return `manifest/${String(number).padStart(10, "0")}`;
}

/** The bytes of a manifest: a checksum, then JSON. */
export function encodeManifest({ number: _, summaries, ...rest }: Manifest): Uint8Array<ArrayBuffer> {
  const body =
    summaries.length === 0 ? { format: BLOCK_FORMAT, ...rest } : { format: SUMMARY_FORMAT, ...rest, summaries };
  const text = new TextEncoder().encode(JSON.stringify(body));
  const bytes = new Uint8Array(4 + text.length);
  bytes.set(text, 4);
  new DataView(bytes.buffer).setUint32(0, crc32(text), true);
  return bytes;
}

/** Reads a manifest. Returns undefined if it is damaged. Throws `ERR_SERIES_VERSION` for a newer version. */
export function decodeManifest(bytes: Uint8Array, number: number): Manifest | undefined {
  if (bytes.length < 6) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = bytes.subarray(4);
  if (crc32(text) !== view.getUint32(0, true)) return undefined;
  const { format, ...body } = JSON.parse(new TextDecoder().decode(text)) as Omit<Manifest, "number"> & {
    readonly format: number;
  };
  if (format !== BLOCK_FORMAT && format !== SUMMARY_FORMAT)
    throw new SeriesError(
      "ERR_SERIES_VERSION",
      `the store has version ${format}; this package reads versions ${BLOCK_FORMAT} and ${SUMMARY_FORMAT}`,
    );
  return { ...body, summaries: Object.hasOwn(body, "summaries") ? body.summaries : [], number };
}
