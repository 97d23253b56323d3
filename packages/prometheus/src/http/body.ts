/** Reads the bodies of requests, within limits. */
import { RequestError } from "./errors.js";

const TOO_LARGE = ["bad_data", 413] as const;

/** Returns a body. Throws 413 for one that is larger than `most` bytes. */
export async function readBody(body: AsyncIterable<Uint8Array> | undefined, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > most) throw new RequestError(TOO_LARGE, `the body is larger than ${most} bytes`);
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
