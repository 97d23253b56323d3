/** Reads the bodies of requests, within limits. */
import { RequestError } from "./errors.js";

const TOO_LARGE = ["bad_data", 413] as const;

/** Bounds the memory of all bodies: clients may send many of them slowly, at once. */
export class BodyMemory {
  readonly #most: number;
  #held = 0;

  /** `most` is in bytes; one body may be larger. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Calls `use` with a body, which counts until the call has ended. Throws as {@link readBody}, and 503 while there are too many. */
  async with<T>(
    body: AsyncIterable<Uint8Array> | undefined,
    most: number,
    use: (bytes: Uint8Array) => T | Promise<T>,
  ): Promise<T> {
    let own = 0;
    const count = (bytes: number): void => {
      own += bytes;
      this.#held += bytes;
      if (this.#held > this.#most && this.#held > own)
        throw new RequestError(["unavailable", 503], "too many bodies at once");
    };
    try {
      return await use(await readBody(body, most, count));
    } finally {
      this.#held -= own;
    }
  }
}

/** Returns a body. Throws 413 for one that is larger than `most` bytes. `onBytes` is called before a part of it is kept. */
export async function readBody(
  body: AsyncIterable<Uint8Array> | undefined,
  most: number,
  onBytes?: (bytes: number) => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > most) throw new RequestError(TOO_LARGE, `the body is larger than ${most} bytes`);
    onBytes?.(chunk.length);
    chunks.push(chunk);
  }
  return joined(chunks, length);
}

/** Unpacks a body. Throws 400 for one that is not valid, 413 for one that is larger than `most` bytes, 415 for other encodings. */
export async function unpackBody(body: Uint8Array, encoding: string, most: number): Promise<Uint8Array> {
  if (encoding === "" || encoding === "identity") return body;
  if (encoding !== "gzip" && encoding !== "x-gzip")
    throw new RequestError(["bad_data", 415], `the content encoding must be gzip, not ${encoding}`);
  const chunks = new Blob([body as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return await readBody(chunks as unknown as AsyncIterable<Uint8Array>, most);
  } catch (error) {
    throw error instanceof RequestError ? error : new RequestError(["bad_data", 400], "the body is not valid gzip");
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
