/** Runs recovery on a folder, and collects its result. */
import type { SeriesWarning } from "../../src/api.ts";
import type { LogFileSystem } from "../../src/log/file-system.ts";
import { type RecoveredLog, type RecoveryOptions, recoverLog } from "../../src/log/recovery.ts";
import { EntryList } from "./log-entries.ts";

/** The folder of every log in tests. */
export const FOLDER = "/store/log";

/** The result, the texts of all entries, how many there were before each file, and the warnings. */
export interface Recovered extends RecoveredLog, Pick<EntryList, "texts" | "files"> {
  readonly warnings: readonly SeriesWarning[];
}

/** Recovers a log. */
export async function recovered(
  fileSystem: LogFileSystem,
  first = 1,
  options: RecoveryOptions = {},
): Promise<Recovered> {
  const list = new EntryList();
  const warnings: SeriesWarning[] = [];
  const onWarning = (warning: SeriesWarning) => warnings.push(warning);
  const log = await recoverLog(fileSystem, FOLDER, first, list, { ...options, onWarning });
  return { ...log, texts: list.texts, files: list.files, warnings };
}
