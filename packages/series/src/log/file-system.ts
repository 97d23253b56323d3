/**
 * The file system functions that the log and the store's folder need. Tests replace it: by one that loses unsynced data, and one that
 * fails.
 */
import { constants, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** An open file. */
export interface LogFile {
  /** Writes all bytes at a position. After a failure any part of them may have been written. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Truncates the file, or extends it with zeros. */
  truncate(length: number): Promise<void>;
  /** Syncs earlier writes and the file's length to disk. */
  datasync(): Promise<void>;
  /** Closes the file. */
  close(): Promise<void>;
}

/** The calls of a file system. Errors are Node's, with a `code`. */
export interface LogFileSystem {
  /** Opens a file for writing, with its content. Creates it if it does not exist. */
  open(path: string): Promise<LogFile>;
  /** Reads a file into new memory. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the names in a folder, in any order; an empty list if it does not exist. */
  list(folder: string): Promise<string[]>;
  /** Returns the size of a file. */
  size(path: string): Promise<number>;
  /** Deletes a file if it exists. */
  unlink(path: string): Promise<void>;
  /** Creates a folder and its parents if they do not exist, and syncs them to disk. */
  makeFolder(folder: string): Promise<void>;
  /** Syncs a folder: created and deleted files are then so on disk. */
  syncFolder(folder: string): Promise<void>;
}

/** Returns the file system of Node. */
export function nodeFileSystem(): LogFileSystem {
  return {
    open: openFile,
    async read(path) {
      const content = await readFile(path);
      return new Uint8Array(content.buffer as ArrayBuffer, content.byteOffset, content.length);
    },
    async list(folder) {
      try {
        return await readdir(folder);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
        throw error;
      }
    },
    size: async (path) => (await stat(path)).size,
    unlink: (path) => rm(path, { force: true }),
    async makeFolder(folder) {
      const topmost = await mkdir(folder, { recursive: true });
      if (topmost === undefined) return;
      const last = dirname(resolve(topmost));
      for (let above = dirname(resolve(folder)); ; above = dirname(above)) {
        await syncFolder(above);
        if (above === last || above === dirname(above)) return;
      }
    },
    syncFolder,
  };
}

async function openFile(path: string): Promise<LogFile> {
  // Not "a", which ignores the position; not "r+" alone, which does not create files.
  const file = await open(path, constants.O_RDWR | constants.O_CREAT);
  return {
    async write(bytes, position) {
      for (let done = 0; done < bytes.length; ) {
        done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
      }
    },
    truncate: (length) => file.truncate(length),
    datasync: () => file.datasync(),
    close: () => file.close(),
  };
}

/** Windows cannot open folders, and syncs their entries itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
