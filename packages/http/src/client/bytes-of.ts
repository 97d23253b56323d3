/** Collects the body of an answer. */
import { clientError } from "./errors.js";

/**
 * Returns the bytes of a body. Throws `ERR_LIMIT_BYTES` as soon as there are more than `maxBytes`. Engines without streams of bodies,
 * such as React Native, read the whole body first.
 */
export async function bytesOf(response: Response, maxBytes: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  let memory = new Uint8Array(reader === undefined ? await response.arrayBuffer() : new ArrayBuffer(0));
  let length = memory.length;
  while (reader !== undefined && length <= maxBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    const start = length;
    length += value.length;
    if (length > memory.length) {
      const larger = new Uint8Array(length * 2);
      larger.set(memory);
      memory = larger;
    }
    memory.set(value, start);
  }
  if (length <= maxBytes) return memory.subarray(0, length);
  reader?.cancel().catch(() => undefined);
  throw clientError("ERR_LIMIT_BYTES", `the answer has more than ${maxBytes} bytes`);
}
