import { chmodSync, closeSync, openSync, realpathSync, renameSync, statSync, writeSync } from "node:fs";
import { keep, temporaryBeside } from "./cleanup.js";
import { fileError } from "./failure.js";

const CHUNK = 256 * 1024;

/**
 * Where a command writes its bytes. Writes gather in a chunk; `drain` hands full chunks on and waits for a slow reader.
 * A file is written beside its target and takes its place only when `finish` is called: until then the old one stands.
 */
export class Output {
  #chunk = Buffer.allocUnsafe(CHUNK);
  #used = 0;
  #full: Uint8Array[] = [];
  readonly #send: (bytes: Uint8Array) => Promise<void> | undefined;
  readonly #complete: () => void;

  private constructor(send: (bytes: Uint8Array) => Promise<void> | undefined, complete: () => void) {
    this.#send = send;
    this.#complete = complete;
  }

  /** Opens a file for replacement, or standard output for `-`. */
  static open(path: string): Output {
    return path === "-"
      ? new Output(toStandardOutput, () => {})
      : toFile(path, (send, complete) => new Output(send, complete));
  }

  /** Adds bytes; they are copied, so the caller may reuse its array. */
  write(bytes: Uint8Array): void {
    if (bytes.length > CHUNK - this.#used) this.#flushChunk();
    if (bytes.length >= CHUNK) {
      this.#full.push(bytes.slice());
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
    for (const chunk of chunks) await this.#send(chunk);
  }

  /** Writes the rest and puts the finished file in its place. */
  async finish(): Promise<void> {
    this.#flushChunk();
    await this.drain();
    this.#complete();
  }

  #flushChunk(): void {
    if (this.#used === 0) return;
    this.#full.push(this.#chunk.subarray(0, this.#used));
    this.#chunk = Buffer.allocUnsafe(CHUNK);
    this.#used = 0;
  }
}

type Build = (send: (bytes: Uint8Array) => undefined, complete: () => void) => Output;

function toFile(path: string, build: Build): Output {
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
  const send = (bytes: Uint8Array): undefined => {
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    } catch (error) {
      throw fileError("write", path, error);
    }
  };
  const complete = (): void => {
    closeSync(file);
    if (special) return;
    try {
      renameSync(name, real);
    } catch (error) {
      throw fileError("write", path, error);
    }
    keep(name);
  };
  return build(send, complete);
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

async function toStandardOutput(bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
