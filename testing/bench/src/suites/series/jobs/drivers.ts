/** The drivers that are measured. */
import { type FilesDriver, files, type SeriesDriver } from "@moonpack/series";
import { rocksdb } from "@moonpack/series-kv";

export type DriverName = "files" | "rocksdb";

/** Returns a new driver. */
export function driverOf(name: DriverName): FilesDriver | SeriesDriver {
  return name === "files" ? files() : rocksdb();
}
