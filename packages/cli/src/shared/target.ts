import { chmodSync, closeSync, constants, openSync, realpathSync, renameSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { WriteStream } from "node:tty";
import { forgetTemporary, removeTemporary, temporaryBeside } from "./cleanup.js";
import { kindOf } from "./descriptors.js";
import { Failure, fileError, isBrokenPipe } from "./failure.js";
import { statusOf, statusOfOpen } from "./status.js";

/** The destination of an output's bytes. */
export interface Target {
  /** Takes the bytes, immediately or when the reader is ready. */
  send(bytes: Uint8Array): Promise<void> | undefined;
  /** Everything has been sent. */
  complete(): Promise<void> | void;
  /** The output failed: nothing of it must remain. */
  discard(): void;
}

/**
 * Returns a file by its path, replaced when everything is sent. A device or a named pipe cannot be replaced and is written to.
 */
export function fileTarget(path: string): Target {
  const target = existing(path);
  if (target !== undefined && !target.isFile) return specialTarget(path);
  const real = target?.path ?? path;
  const name = temporaryBeside(real);
  let file: number;
  try {
    file = openSync(name, "wx");
    if (target !== undefined) chmodSync(name, target.mode);
  } catch (error) {
    removeTemporary(name);
    throw target === undefined ? fileError("write", path, error) : fileError("replace", path, error, BESIDE);
  }
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    send(bytes) {
      writeAll(file, bytes, path);
      return undefined;
    },
    complete() {
      close();
      try {
        renameSync(name, real);
      } catch (error) {
        throw fileError("write", path, error);
      }
      forgetTemporary(name);
    },
    discard() {
      close();
      removeTemporary(name);
    },
  };
}

/** Explains why a writable file could not be replaced. */
const BESIDE = " in its folder: a new file is written there first, so that the old one is never lost";

/** Returns the existing file. Links are followed, so that a link stays a link to the replaced file. */
function existing(path: string): { path: string; isFile: boolean; mode: number } | undefined {
  try {
    const status = statusOf(path);
    if (status === undefined) return undefined;
    return { path: realpathSync(path), isFile: status.isFile(), mode: Number(status.mode) & 0o777 };
  } catch {
    return undefined;
  }
}

function specialTarget(path: string): Target {
  let descriptor: number;
  try {
    // The file is neither created nor truncated: if the path has become a regular file in the meantime, it is kept.
    descriptor = openSync(path, constants.O_WRONLY);
  } catch (error) {
    throw fileError("write", path, error);
  }
  if (!statusOfOpen(descriptor).isFile()) return closing(descriptorTarget(descriptor, path), descriptor);
  closeSync(descriptor);
  throw new Failure(`cannot write ${path}: the path now names another file`);
}

/** The same target, which also closes a descriptor opened for it. The stream of a pipe closes its own. */
function closing(target: Target, descriptor: number): Target {
  if (kindOf(descriptor) !== "file") return target;
  const once = (end: () => void) => () => {
    end();
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  let isOpen = true;
  return { send: target.send, complete: once(target.complete), discard: once(target.discard) };
}

/** Returns an open descriptor. Writes wait for a full pipe. `path` is for errors. */
export function descriptorTarget(descriptor: number, path: string): Target {
  const name = path === "-" ? "standard output" : path;
  let kind: ReturnType<typeof kindOf>;
  try {
    kind = kindOf(descriptor);
  } catch (error) {
    throw fileError("write", name, error);
  }
  if (kind !== "file") return streamTarget(kind === "pipe" ? pipe(descriptor) : new WriteStream(descriptor), name);
  return {
    send(bytes) {
      writeAll(descriptor, bytes, name);
      return undefined;
    },
    complete() {},
    discard() {},
  };
}

function pipe(descriptor: number): Socket {
  return new Socket({ fd: descriptor, readable: false, writable: true });
}

function streamTarget(stream: Socket, name: string): Target {
  // Every write receives its own error.
  stream.on("error", () => {});
  return {
    async send(bytes) {
      await new Promise<void>((resolve, reject) => {
        stream.write(bytes, (error) => {
          if (error == null) resolve();
          else reject(isBrokenPipe(error) ? error : fileError("write", name, error));
        });
      });
    },
    complete() {},
    discard() {},
  };
}

function writeAll(descriptor: number, bytes: Uint8Array, name: string): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
  } catch (error) {
    throw isBrokenPipe(error) ? error : fileError("write", name, error);
  }
}
