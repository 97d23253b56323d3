import { createDes, createSer, type StrictArrayBuffer } from "seqproto";
import type { Candidate } from "./candidate.js";

/** Words of 32 bits, written by hand-written functions; results are copies. */
export const seqprotoOwned: Candidate = {
  id: "seqproto",
  title: "seqproto",
  create({ seqproto }) {
    if (seqproto === undefined) return undefined;
    const { write, read } = seqproto;
    const ser = createSer();
    const des = createDes(new ArrayBuffer(0));
    return {
      encode(message) {
        ser.reset();
        write(ser, message);
        return new Uint8Array(ser.getBuffer());
      },
      decode(bytes) {
        // Messages are multiples of 4 bytes, so consecutive messages begin at such offsets.
        des.setBuffer(bytes.buffer as StrictArrayBuffer, bytes.byteOffset, bytes.length);
        return read(des);
      },
    };
  },
};

/** The same with a view of its memory, like our `encodeShared`. */
export const seqprotoShared: Candidate = {
  id: "seqproto-shared",
  title: "seqproto, a view of its memory",
  only: "encode",
  create({ seqproto }) {
    if (seqproto === undefined) return undefined;
    const { write, read } = seqproto;
    const ser = createSer();
    return {
      encode(message) {
        ser.reset();
        write(ser, message);
        return new Uint8Array(ser.buffer, 0, ser.index * 4);
      },
      decode: (bytes) => read(createDes(Uint8Array.from(bytes).buffer)),
    };
  },
};
