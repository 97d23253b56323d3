/** Reads gzip: a file with any name, recognised by its first two bytes. */
import { Readable } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import { DataError } from "./failure.js";
import { ByteWindow } from "./input.js";

const MAGIC = [0x1f, 0x8b];

/** Bytes of gzip, as they arrive. Counts them. */
class Source {
  readonly #window: ByteWindow;
  bytes = 0;

  constructor(window: ByteWindow) {
    this.#window = window;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const window = this.#window;
    while (window.size > 0 || (await window.more())) {
      // A copy, since the stream keeps it.
      const part = window.view().slice();
      window.consume(part.length);
      this.bytes += part.length;
      yield part;
    }
  }
}

/** True if an input is compressed. Reads its first bytes. */
export async function isGzip(window: ByteWindow): Promise<boolean> {
  return (await window.reach(MAGIC.length)) && MAGIC.every((byte, i) => window.view()[i] === byte);
}

/** Returns the decompressed bytes of an input. `name` is for errors: of data that are damaged, incomplete, or followed by others. */
export function unzipped(window: ByteWindow, name: string): ByteWindow {
  const source = new Source(window);
  const gunzip = createGunzip();
  const input = Readable.from(source);
  input.on("error", (error) => gunzip.destroy(error));
  const chunks = piped(input, gunzip);
  let chunk = new Uint8Array(0);
  const fill = async (target: Uint8Array): Promise<number> => {
    while (chunk.length === 0) {
      const { done, value } = await nextOf(chunks, name);
      if (done === true) {
        // Node ignores other bytes after the end.
        if (gunzip.bytesWritten < source.bytes)
          throw new DataError(
            name,
            "ERR_TRAILING_BYTES: there are other bytes after the end of the gzip data",
            undefined,
          );
        return 0;
      }
      chunk = new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.length);
    }
    const part = chunk.subarray(0, target.length);
    target.set(part);
    chunk = chunk.subarray(part.length);
    return part.length;
  };
  return new ByteWindow(fill, undefined, async () => {
    input.destroy();
    gunzip.destroy();
  });
}

/** Starts at the first read: an error before it would have no listener. */
async function* piped(input: Readable, gunzip: Gunzip): AsyncGenerator<Uint8Array> {
  yield* input.pipe(gunzip) as AsyncIterable<Uint8Array>;
}

async function nextOf(chunks: AsyncIterator<Uint8Array>, name: string): Promise<IteratorResult<Uint8Array>> {
  try {
    return await chunks.next();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "Z_BUF_ERROR") throw new DataError(name, "ERR_TRUNCATED: the gzip data are not complete", error);
    if (code === "Z_DATA_ERROR") throw new DataError(name, "ERR_INVALID_BYTE: the gzip data are damaged", error);
    throw error;
  }
}
