import { chmodSync, closeSync, openSync, realpathSync, renameSync, statSync, writeSync } from "node:fs";
import { keep, removeTemporary, temporaryBeside } from "./cleanup.js";
import { fileError } from "./failure.js";

const CHUNK = 256 * 1024;

/** Where the bytes of an output end up. */
interface Target {
  /** Takes the bytes, at once or when the other side is ready. */
  send(bytes: Uint8Array): Promise<void> | undefined;
  /** All is sent. */
  complete(): void;
  /** Nothing of it shall remain. */
  discard(): void;
}

/**
 * Where a command writes its bytes. Writes gather in a chunk; `drain` hands full chunks on and waits for a slow reader.
 * A file is written beside its target and takes its place only when `finish` is called: until then the old one stands.
 */
export class Output {
  #chunk = Buffer.from(new ArrayBuffer(CHUNK));
  #used = 0;
  #full: Uint8Array<ArrayBuffer>[] = [];
  #spare: ArrayBuffer | undefined;
  readonly #target: Target;

  private constructor(target: Target) {
    this.#target = target;
  }

  /** Opens a file for replacement, or standard output for `-`. */
  static open(path: string): Output {
    return new Output(path === "-" ? standardOutput : fileTarget(path));
  }

  /** Adds bytes; they are copied, so the caller may reuse its array. */
  write(bytes: Uint8Array): void {
    if (bytes.length > CHUNK - this.#used) this.#flushChunk();
    if (bytes.length >= CHUNK) {
      this.#full.push(new Uint8Array(bytes));
      return;
    }
    this.#chunk.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Adds text as UTF-8. */
  writeText(text: string): void {
    // Three bytes a code unit is the most that UTF-8 needs: short texts go straight into the chunk.
    if (text.length * 3 <= CHUNK - this.#used) this.#used += this.#chunk.write(text, this.#used, "utf8");
    else this.write(Buffer.from(text, "utf8"));
  }

  /** Hands on what is full and waits until the other side has taken it. Call it between batches. */
  async drain(): Promise<void> {
    if (this.#full.length === 0) return;
    const chunks = this.#full;
    this.#full = [];
    for (const chunk of chunks) {
      await this.#target.send(chunk);
      // Sent bytes may be overwritten. A chunk for every 256 KB of output would wait for the collector in their hundreds.
      if (chunk.buffer.byteLength === CHUNK) this.#spare = chunk.buffer;
    }
  }

  /** Hands on all that is written: for somebody who waits for it. */
  async flush(): Promise<void> {
    this.#flushChunk();
    await this.drain();
  }

  /** Writes the rest and puts the finished file in its place. */
  async finish(): Promise<void> {
    await this.flush();
    this.#target.complete();
  }

  /** Gives up: a file that was there before stays as it was. */
  discard(): void {
    this.#target.discard();
  }

  #flushChunk(): void {
    if (this.#used === 0) return;
    this.#full.push(this.#chunk.subarray(0, this.#used));
    this.#chunk = Buffer.from(this.#spare ?? new ArrayBuffer(CHUNK));
    this.#spare = undefined;
    this.#used = 0;
  }
}

function fileTarget(path: string): Target {
  const target = existing(path);
  // A device or a named pipe cannot be replaced, only written to.
  const special = target !== undefined && !target.isFile;
  const real = target?.path ?? path;
  const name = special ? real : temporaryBeside(real);
  let file: number;
  try {
    file = openSync(name, "w");
    if (target?.isFile) chmodSync(name, target.mode);
  } catch (error) {
    throw fileError("write", path, error);
  }
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    send(bytes) {
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
      } catch (error) {
        throw fileError("write", path, error);
      }
      return undefined;
    },
    complete() {
      close();
      if (special) return;
      try {
        renameSync(name, real);
      } catch (error) {
        throw fileError("write", path, error);
      }
      keep(name);
    },
    discard() {
      close();
      if (!special) removeTemporary(name);
    },
  };
}

/** The file that is there now, links followed, so that a link stays a link to the replaced file. */
function existing(path: string): { path: string; isFile: boolean; mode: number } | undefined {
  try {
    const status = statSync(path);
    return { path: realpathSync(path), isFile: status.isFile(), mode: status.mode & 0o777 };
  } catch {
    return undefined;
  }
}

const standardOutput: Target = {
  async send(bytes) {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  },
  complete() {},
  discard() {},
};
