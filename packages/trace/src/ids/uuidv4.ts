/** Random UUIDs, version 4 of RFC 9562. */
import { takenEnd, takeRandom } from "./pool.js";
import { uuidText } from "./uuid-text.js";

/**
 * Returns a random UUID, such as `"f47ac10b-58cc-4372-a567-0e02b2c3d479"`, from a cryptographic generator.
 *
 * @example
 * expressMiddleware({ requestIdFactory: () => `web-${uuidv4()}` });
 */
export function uuidv4(): string {
  const bytes = takeRandom(16);
  const start = takenEnd() - 16;
  // Changes the pool: these bytes are not used again.
  bytes[start + 6] = (bytes[start + 6]! & 0x0f) | 0x40;
  bytes[start + 8] = (bytes[start + 8]! & 0x3f) | 0x80;
  return uuidText(bytes, start);
}
