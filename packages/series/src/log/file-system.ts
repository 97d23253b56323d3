/**
 * What the log and the folder of a store need of a file system. Tests put another one in its place: one that forgets what was not
 * synced, and one that fails.
 */
import { constants, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** A file that is open for writing. */
export interface LogFile {
  /** Writes all bytes at a position. After a failure any part of them may be in the file. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Cuts the file off, or fills it up with zeros. */
  truncate(length: number): Promise<void>;
  /** What was written before the call, and the file's length, are on the medium when it resolves. */
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** The calls of a file system. Errors are those of Node, with a `code`. */
export interface LogFileSystem {
  /** Opens a file for writing, and creates it if it does not exist. It keeps its content. */
  open(path: string): Promise<LogFile>;
  /** The content of a file, in memory that nothing else uses. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** The names in a folder, in any order; none if it does not exist. */
  list(folder: string): Promise<string[]>;
  /** Bytes of a file. */
  size(path: string): Promise<number>;
  /** Deletes a file. It need not exist. */
  unlink(path: string): Promise<void>;
  /** Makes a folder and those above it, where they do not exist. New ones are on the medium when it resolves. */
  makeFolder(folder: string): Promise<void>;
  /** The files that were created in a folder, or deleted from it, are so on the medium when it resolves. */
  syncFolder(folder: string): Promise<void>;
}

/** The file system of the machine. */
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
  // Not "a": that writes at the end, whatever the position. Not "r+" alone: that creates nothing.
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

/** Windows cannot open folders, and writes their entries by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
