/** The vectors that this implementation writes: the files of vectors/series. vectors/generate/series.mjs calls it. */
import { blockVectors } from "./blocks.ts";
import { damagedIndexEntries, damagedMetrics, damagedRecords } from "./damaged-others.ts";
import { damagedPages } from "./damaged-pages.ts";
import { indexVectors } from "./index-entries.ts";
import { logVectors } from "./log.ts";
import { metricVectors } from "./metrics.ts";
import { namesVectors } from "./names.ts";
import type { Vector } from "./notation.ts";
import { pageVectors } from "./pages.ts";
import { timeVectors } from "./times.ts";
import { valueVectors } from "./values.ts";

/** A file of vectors: what it is about, and the vectors. */
export interface VectorFile {
  readonly about: string;
  readonly vectors: readonly Vector[];
}

/** Returns the files by their names. */
export function seriesFiles(): ReadonlyMap<string, VectorFile> {
  return new Map<string, VectorFile>([
    ["times.json", { about: "time columns: milliseconds from a page's start", vectors: timeVectors() }],
    ["values.json", { about: "value blocks of float and int64 metrics", vectors: valueVectors() }],
    ["pages.json", { about: "pages of a minute and of an hour, with their keys", vectors: pageVectors() }],
    ["metrics.json", { about: "metrics: canonical forms, entries, and what is refused", vectors: metricVectors() }],
    ["blocks.json", { about: "block files of version 2", vectors: blockVectors() }],
    ["names.json", { about: "names files of version 2", vectors: namesVectors() }],
    ["index.json", { about: "entries of the tag index", vectors: indexVectors() }],
    ["log.json", { about: "records of the write-ahead log, and heads of its files", vectors: logVectors() }],
    [
      "damaged.json",
      {
        about: "bytes that no writer writes",
        vectors: [...damagedPages(), ...damagedMetrics(), ...damagedIndexEntries(), ...damagedRecords()],
      },
    ],
  ]);
}
