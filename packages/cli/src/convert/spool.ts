import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTemporary, temporaryBeside } from "../shared/cleanup.js";
import { fileError } from "../shared/failure.js";

const CHUNK = 256 * 1024;

interface Hole {
  readonly at: number;
  header: Uint8Array;
}

/**
 * A temporary file for bytes whose headers come late. MessagePack needs the number of elements before the first one, but JSON
 * shows it only after the last. Each late header leaves an empty hole, which is filled when the file is read back.
 */
export class Spool {
  readonly #path: string;
  readonly #file: number;
  readonly #chunk = Buffer.allocUnsafe(CHUNK);
  readonly #holes: Hole[] = [];
  #used = 0;
  #size = 0;

  constructor() {
    this.#path = temporaryBeside(join(tmpdir(), "moonpack"));
    try {
      this.#file = openSync(this.#path, "wx+", 0o600);
    } catch (error) {
      throw fileError("write the temporary file", this.#path, error);
    }
  }

  /** Appends bytes. They are copied. */
  write(bytes: Uint8Array): void {
    if (bytes.length > CHUNK - this.#used) this.#flush();
    if (bytes.length >= CHUNK) {
      this.#append(bytes);
    } else {
      this.#chunk.set(bytes, this.#used);
      this.#used += bytes.length;
    }
  }

  /** Leaves a hole here. Returns its number, for `fill`. */
  leaveHole(): number {
    return this.#holes.push({ at: this.#size + this.#used, header: new Uint8Array(0) }) - 1;
  }

  fill(hole: number, header: Uint8Array): void {
    this.#holes[hole]!.header = header;
  }

  /** Writes everything, with the headers in their holes, and empties the spool for the next message. */
  async moveTo(write: (bytes: Uint8Array) => void, drain: () => Promise<void>): Promise<void> {
    this.#flush();
    let at = 0;
    for (const hole of [...this.#holes, { at: this.#size, header: new Uint8Array(0) }]) {
      while (at < hole.at) {
        const count = readSync(this.#file, this.#chunk, 0, Math.min(CHUNK, hole.at - at), at);
        write(this.#chunk.subarray(0, count));
        await drain();
        at += count;
      }
      write(hole.header);
    }
    this.#holes.length = 0;
    this.#size = 0;
  }

  /** Closes and removes the file. */
  close(): void {
    closeSync(this.#file);
    removeTemporary(this.#path);
  }

  #flush(): void {
    const bytes = this.#chunk.subarray(0, this.#used);
    this.#used = 0;
    this.#append(bytes);
  }

  #append(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length; ) {
        const count = writeSync(this.#file, bytes, done, bytes.length - done, this.#size);
        done += count;
        this.#size += count;
      }
    } catch (error) {
      throw fileError("write the temporary file", this.#path, error);
    }
  }
}
