/** The extension type of notepack 2, the MessagePack library of socket.io-msgpack-parser 3. */
import { EncodeError } from "moonpack/bytes";
import type { ExtensionDefinition } from "moonpack/msgpack";

/** The class of {@link notepackExtension}, required by extensions. It has no instances. */
export abstract class NotepackValue {
  /** Distinguishes the type: no value has it. */
  abstract readonly "~notepack": true;
}

/**
 * Reads notepack's extension 0: undefined, which most packets contain, a Date or an ArrayBuffer. The format is ambiguous: an ArrayBuffer of
 * 8 bytes is read as a Date, and one of 1 byte as undefined. Register it while peers use socket.io-msgpack-parser.
 *
 * @example
 * const parser = createParser({ objects: true, decoder: { extensions: new Extensions().register(notepackExtension) } });
 */
export const notepackExtension: ExtensionDefinition<unknown> = {
  type: 0,
  class: NotepackValue,
  encode(): Uint8Array {
    throw new EncodeError("ERR_UNSUPPORTED_TYPE", "notepack's extension can only be decoded", "$");
  },
  decode(data: Uint8Array<ArrayBuffer>): unknown {
    if (data.length === 1) return undefined;
    if (data.length !== 8) return data;
    const view = new DataView(data.buffer, data.byteOffset);
    return new Date(view.getInt32(0) * 2 ** 32 + view.getUint32(4));
  },
};
