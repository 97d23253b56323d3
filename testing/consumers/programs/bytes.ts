import {
  ByteReader,
  ByteWriter,
  DecodeError,
  type ErrorCode,
  encodeFrame,
  readFrames,
  utf8Length,
} from "moonpack/bytes";

const writer: ByteWriter = new ByteWriter();
console.log(typeof writer, typeof ByteReader, utf8Length("Zoë")); // object function 4
const frame = encodeFrame(new Uint8Array([1, 2, 3]));
for (const payload of readFrames(frame)) console.log(payload.join()); // 1,2,3
console.log(DecodeError.prototype instanceof Error); // true
const code: ErrorCode = new DecodeError("STATION_VERSION", "version 9", 0).code;
console.log(code); // STATION_VERSION
