/** Reads and writes the files of the manifest. */
import { join } from "node:path";
import type { BlockEntry } from "../blocks/block.js";
import { blockName } from "../blocks/format.js";
import { storeError } from "../drivers/store-error.js";
import { SeriesError } from "../errors.js";
import type { StoreFileSystem } from "../file-system/store-file-system.js";
import { removeLog } from "../log/log-files.js";
import { namesName } from "../names/names-format.js";
import { decodeManifest, encodeManifest, LOG_NAMES, type Manifest, manifestName } from "./manifest.js";

const TEMPORARY = "manifest/next";
/** Number of manifests before the newest one, which may be damaged, that are not deleted. */
const OLDER_MANIFESTS = 1;

/** The numbers of all manifests in the folder of a store, ascending. */
export async function manifestNumbers(fileSystem: StoreFileSystem, path: string): Promise<number[]> {
  const names = await fileSystem.list(join(path, "manifest"));
  return names
    .filter((name) => /^\d{10}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** The blocks of points, and of summaries. */
export function allBlocks({ blocks, summaries }: Manifest): BlockEntry[] {
  return [...blocks, ...summaries.flatMap((record) => record.blocks)];
}

/** The files that a manifest names, each with its bytes. */
export function filesOf(manifest: Manifest): { readonly name: string; readonly bytes: number }[] {
  const { names } = manifest;
  return [
    ...allBlocks(manifest).map(({ file, bytes }) => ({ name: blockName(file), bytes })),
    ...names.map(({ file, bytes }) => ({ name: namesName(file), bytes })),
  ];
}

/**
 * Returns the newest undamaged manifest; undefined if there is no manifest. Throws `ERR_SERIES_CORRUPT` if a newer one is damaged and one of
 * the files is missing: the damaged manifest may have dropped it.
 */
export async function readManifest(fileSystem: StoreFileSystem, path: string): Promise<Manifest | undefined> {
  const numbers = await manifestNumbers(fileSystem, path);
  for (let i = numbers.length - 1; i >= 0; i--) {
    const number = numbers[i]!;
    const manifest = decodeManifest(await fileSystem.read(join(path, manifestName(number))), number);
    if (manifest === undefined) continue;
    if (i < numbers.length - 1) await checkFiles(fileSystem, path, manifest);
    return manifest;
  }
  if (numbers.length > 0) throw damaged(numbers.at(-1)!, "all manifests are damaged: repair() builds a new one");
  return undefined;
}

async function checkFiles(fileSystem: StoreFileSystem, path: string, manifest: Manifest): Promise<void> {
  for (const { name, bytes } of filesOf(manifest)) {
    const size = await fileSystem.size(join(path, name)).catch(() => -1);
    if (size !== bytes) throw damaged(manifest.number + 1, `the one before names ${name}, which is not there`);
  }
}

function damaged(number: number, what: string): SeriesError {
  const file = manifestName(number);
  return new SeriesError("ERR_SERIES_CORRUPT", `${file} is damaged, and ${what}`, { file });
}

/** Writes a manifest, which is committed when this resolves. After a failure it may be committed or not, until the store is opened again. */
export async function writeManifest(fileSystem: StoreFileSystem, path: string, manifest: Manifest): Promise<void> {
  const temporary = join(path, TEMPORARY);
  try {
    // A crash may have left a longer file.
    await fileSystem.unlink(temporary);
    const file = await fileSystem.create(temporary);
    try {
      await file.write(encodeManifest(manifest), 0);
      await file.datasync();
    } finally {
      await file.close();
    }
    await fileSystem.rename(temporary, join(path, manifestName(manifest.number)));
    await fileSystem.syncFolder(join(path, "manifest"));
  } catch (error) {
    throw storeError(error, "the store");
  }
}

/** Deletes old manifests, except the newest one and `older` ones before it. */
export async function removeOldManifests(
  fileSystem: StoreFileSystem,
  path: string,
  number: number,
  older = OLDER_MANIFESTS,
): Promise<void> {
  for (const old of await manifestNumbers(fileSystem, path))
    if (old < number - older) await fileSystem.unlink(join(path, manifestName(old)));
}

/** Deletes files that are not in the manifest, which a crash has left. */
export async function removeUnnamed(fileSystem: StoreFileSystem, path: string, manifest: Manifest): Promise<void> {
  const named = new Set(filesOf(manifest).map(({ name }) => name));
  for (const folder of ["blocks", "names"])
    for (const name of await fileSystem.list(join(path, folder)))
      if (!named.has(`${folder}/${name}`)) await fileSystem.unlink(join(path, folder, name));
  for (const folder of LOG_NAMES) if (folder !== manifest.log) await removeLog(fileSystem, join(path, folder));
}
