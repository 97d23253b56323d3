/** The formats of points, by their names and by the extensions of files. */
import { extname } from "node:path";
import { UsageError } from "../shared/failure.js";

/** A format of points. */
export type PointFormat =
  | "ndjson"
  | "csv"
  | "line"
  | "prometheus"
  | "openmetrics"
  | "victoriametrics"
  | "annotated-csv"
  | "tsdb-dump";

/** All formats, in the order of the help. */
export const POINT_FORMATS: readonly PointFormat[] = [
  "ndjson",
  "csv",
  "line",
  "prometheus",
  "openmetrics",
  "victoriametrics",
  "annotated-csv",
  "tsdb-dump",
];

/** A format that export writes. */
export type ExportFormat = Exclude<PointFormat, "tsdb-dump">;

/** All formats that export writes, in the order of the help. */
export const EXPORT_FORMATS: readonly ExportFormat[] = POINT_FORMATS.filter((format) => format !== "tsdb-dump");

const BY_EXTENSION = new Map<string, PointFormat>([
  [".ndjson", "ndjson"],
  [".jsonl", "ndjson"],
  [".csv", "csv"],
  [".lp", "line"],
  [".line", "line"],
  [".prom", "prometheus"],
  [".om", "openmetrics"],
]);

/** The extension of compressed files. It follows that of the format: `points.csv.gz`. */
const GZIP = ".gz";

/** True for the name of a compressed file. */
export function isGzipName(path: string): boolean {
  return extname(path).toLowerCase() === GZIP;
}

/** Returns the extension of a file name, without that of compression; "" if there is none. */
export function plainExtension(path: string): string {
  return extname(isGzipName(path) ? path.slice(0, -GZIP.length) : path).toLowerCase();
}

/** Returns the format of the file name's extension, or undefined. */
export function pointFormatOf(path: string): PointFormat | undefined {
  return BY_EXTENSION.get(plainExtension(path));
}

/** Returns the error for a name whose extension is not known. */
export function unknownFormat(what: string, formats: readonly PointFormat[]): UsageError {
  const known = [...BY_EXTENSION.keys()].join(" ");
  return new UsageError(
    `${what} is unknown (known extensions: ${known}, each also with .gz): add --format ${formats.join(", ")}`,
  );
}

/** Returns the format of an input: from the option, or else from the file name. */
export function settledFormat(path: string, option: PointFormat | undefined): PointFormat {
  const format = option ?? pointFormatOf(path);
  if (format !== undefined) return format;
  throw unknownFormat(path === "-" ? "the format of standard input" : `the format of ${path}`, POINT_FORMATS);
}
