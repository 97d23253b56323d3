/**
 * The identity of a store. The log of the latest points is in a folder of one machine, everything else on the cluster; both are needed.
 * An id in both places shows that they belong together.
 */
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { SeriesError } from "@moonpack/series";
import { invalidArgument } from "moonpack/bytes";
import type { ControlMap } from "./columns.js";
import { retryWhileOutcomeUnknown } from "./retry-unknown.js";

/** The file in the driver's folder, and its name until the cluster has the id. */
const FILE = "cluster.json";
const UNFINISHED = "cluster.new.json";
/** The entry on the cluster. */
const ENTRY = "identity";

/** The content of the file and of the entry. */
interface Identity {
  readonly id: string;
  /** Host and folder at creation, for error texts. */
  readonly host: string;
  readonly folder: string;
}

/**
 * Checks that a folder belongs to a store of the cluster. Creates the identity if both have none. Throws `ERR_INVALID_ARGUMENT` for the
 * folder of another store, and `ERR_SERIES_STORE` if the cluster has lost the store, or if `readOnly` and the store does not exist.
 */
export async function identify(map: ControlMap, name: string, folder: string, readOnly: boolean): Promise<void> {
  const text = await map.get(ENTRY);
  const remote = text === null ? undefined : (JSON.parse(text) as Identity);
  const local = await identityIn(folder, FILE);
  if (local !== undefined && remote?.id === local.id) return;
  if (local !== undefined && remote === undefined)
    throw storeError(
      `the cluster has lost the store ${name}: to start with an empty store, delete ${folder} and the log beside it`,
    );
  const begun = local === undefined ? await identityIn(folder, UNFINISHED) : undefined;
  if (remote !== undefined && begun?.id !== remote.id)
    throw invalidArgument(
      `the store ${name} belongs to another folder, which has the log of its latest points: it was created in ${remote.folder} on ${remote.host}`,
    );
  if (remote === undefined) {
    if (readOnly) throw storeError(`the store ${name} does not exist on the cluster, and readOnly does not create it`);
    const made: Identity = { id: randomUUID(), host: hostname(), folder };
    await writeSynced(folder, JSON.stringify(made));
    await retryWhileOutcomeUnknown(() => map.set(ENTRY, JSON.stringify(made)));
  }
  await rename(join(folder, UNFINISHED), join(folder, FILE));
}

async function identityIn(folder: string, file: string): Promise<Identity | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, file), "utf8")) as Identity;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw storeError(`${join(folder, file)} cannot be read`, error);
  }
}

async function writeSynced(folder: string, text: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(join(folder, UNFINISHED), "w");
    try {
      await file.writeFile(`${text}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw storeError(`${folder} cannot be written`, error);
  }
}

function storeError(message: string, cause?: unknown): SeriesError {
  return new SeriesError("ERR_SERIES_STORE", message, {}, cause);
}
