/** Recognises the format of points in a pipe, whose name shows none, by its first lines. */
import { isGzip, unzipped } from "../shared/gunzip.js";
import { ByteWindow } from "../shared/input.js";
import type { PointFormat } from "./point-formats.js";

/** The most bytes that are looked at: comments may come before the first record. */
const HEAD = 64 * 1024;
const LINE_FEED = 0x0a;

/** Comments of Prometheus' formats, and of InfluxDB's annotated CSV. */
const METADATA = /^#\s*(?:HELP|TYPE|UNIT|EOF)\b/;
const ANNOTATION = /^#(?:group|datatype|default)\b/;
/** `up{job="a"} 1 1700000000000` */
const SAMPLE = /^[A-Za-z_:][\w:]*(?:\s*\{.*\})?\s+\S+(?:\s+-?\d+(?:\.\d+)?)?(?:\s+#.*)?\s*$/;
/** `{__name__="up", job="a"} 1 1700000000000` */
const DUMPED = /^\{\s*[\w.]+\s*=/;
/** `{"metric":{"__name__":"up"},"values":[1],"timestamps":[1700000000000]}` */
const VICTORIA = /^\{.*"(?:metric|values|timestamps)"\s*:\s*[[{]/;
/** `cpu,host=a1 load=0.5 1700000000000000000`: after the tags, a field. */
const LINE = /^(?:\\.|[^\s\\])+\s+(?:\\.|[^\s\\="])+=\S/;

/** An input whose format was recognised. `window` has its bytes, decompressed. */
export interface OpenedInput {
  readonly file: ByteWindow;
  readonly window: ByteWindow;
  readonly format: PointFormat | undefined;
}

/** Opens an input, and reads as much of it as shows its format. */
export async function openSniffed(path: string, delimiter = ","): Promise<OpenedInput> {
  const file = await ByteWindow.open(path);
  const window = (await isGzip(file)) ? unzipped(file, path === "-" ? "standard input" : path) : file;
  for (let end = -1; ; ) {
    const view = window.view();
    end = view.indexOf(LINE_FEED, end + 1);
    const isAll = end < 0 && (window.ended || window.size >= HEAD);
    if (end < 0 && !isAll) {
      await window.more();
      continue;
    }
    const lines = Buffer.from(view.subarray(0, isAll ? Math.min(view.length, HEAD) : end)).toString("utf8");
    const format = formatOfLines(lines.replace(/^\uFEFF/, "").split(/\r?\n/), delimiter);
    if (format !== undefined || isAll) return { file, window, format };
  }
}

/** Returns the format of lines, the last of which may decide; undefined if they show none. */
export function formatOfLines(lines: readonly string[], delimiter = ","): PointFormat | undefined {
  for (const line of lines) {
    if (METADATA.test(line)) return "prometheus";
    if (ANNOTATION.test(line)) return "csv";
    if (line.trim() === "" || line.startsWith("#")) continue;
    if (line.startsWith("{"))
      return DUMPED.test(line) ? "tsdb-dump" : VICTORIA.test(line) ? "victoriametrics" : "ndjson";
    if (LINE.test(line)) return "line";
    if (SAMPLE.test(line)) return "prometheus";
    return line.includes(delimiter) ? "csv" : undefined;
  }
  return undefined;
}
