/** What socket.io-msgpack-parser 3 writes: its MessagePack library, notepack 2, has an extension of its own. */
import { EncodeError } from "moonpack/bytes";
import type { ExtensionDefinition } from "moonpack/msgpack";

/** The class of {@link notepackExtension}, which needs one. There are no instances. */
export abstract class NotepackValue {
  abstract readonly "~notepack": true;
}

/**
 * Reads notepack's extension 0: undefined, which it writes in most packets, a Date or an ArrayBuffer. An ArrayBuffer of 8 bytes cannot
 * be told from a Date and is read as one, and an ArrayBuffer of 1 byte is read as undefined. Register it while peers have
 * socket.io-msgpack-parser.
 *
 * @example
 * const parser = createParser({ objects: true, decoder: { extensions: new Extensions().register(notepackExtension) } });
 */
export const notepackExtension: ExtensionDefinition<unknown> = {
  type: 0,
  class: NotepackValue,
  encode(): Uint8Array {
    throw new EncodeError("ERR_UNSUPPORTED_TYPE", "notepack's extension is only read", "$");
  },
  decode(data: Uint8Array<ArrayBuffer>): unknown {
    if (data.length === 1) return undefined;
    if (data.length !== 8) return data;
    const view = new DataView(data.buffer, data.byteOffset);
    return new Date(view.getInt32(0) * 2 ** 32 + view.getUint32(4));
  },
};
