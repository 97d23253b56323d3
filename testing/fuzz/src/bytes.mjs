// Checks for the byte engine: frames, and UTF-8 compared with the platform's.
import {
  ByteWriter,
  FrameSplitter,
  readFrames,
  readUtf8,
  readUtf8Lossy,
  utf8Length,
  writeFrame,
  writeUtf8,
} from "moonpack/bytes";
import { outcome } from "./outcome.mjs";

/** Reads all frames of bytes that arrive in parts: one frame after each part, the others at the end. */
function* framesOfParts(bytes, step, options) {
  const splitter = new FrameSplitter(options);
  for (let i = 0; i < bytes.length; i += step) {
    splitter.push(bytes.slice(i, i + step));
    const frame = splitter.next();
    if (frame !== null) yield frame;
  }
  yield* splitter;
  splitter.end();
}

/** Frames that can be read are written as the same bytes. Reading in parts gives the same frames. */
function checkFrames() {
  const hex = (frames, length) => {
    const read = [];
    const end = outcome(
      () => {
        for (const frame of frames) read.push(Buffer.from(frame).toString("hex"));
      },
      length,
      () => "end",
    );
    return `${read} ${end}`;
  };
  return (bytes) =>
    ["uvar", "u32le", "u32be"]
      .map((prefix) => {
        // The input's own bytes choose where it is cut.
        const step = 1 + (bytes.length > 0 ? bytes[bytes.length >> 1] % 61 : 0);
        const whole = hex(readFrames(bytes, { prefix }), bytes.length);
        for (const frames of ["copy", "view"]) {
          const parts = hex(framesOfParts(bytes, step, { prefix, frames }), bytes.length);
          if (parts !== whole) throw new Error(`parts of ${step}: ${parts}, as a whole ${whole}`);
        }
        return outcome(
          () => [...readFrames(bytes, { prefix })],
          bytes.length,
          (frames) => {
            const writer = new ByteWriter(1);
            for (const frame of frames) writeFrame(writer, frame, { prefix });
            if (Buffer.compare(writer.written(), bytes) !== 0) throw new Error("frames are written as other bytes");
            return `${Math.min(frames.length, 9)}`;
          },
        );
      })
      .join();
}

/** Compares validity, text and bytes with TextDecoder and TextEncoder. */
function checkUtf8() {
  const strictText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lossyText = new TextDecoder("utf-8", { ignoreBOM: true });
  return (bytes) => {
    let want = null;
    try {
      want = strictText.decode(bytes);
    } catch {
      // `want` stays null.
    }
    const got = readUtf8(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
    if (got !== want) throw new Error("the text differs from TextDecoder's");
    if (readUtf8Lossy(bytes, 0, bytes.length) !== lossyText.decode(bytes))
      throw new Error("the replaced text differs from TextDecoder's");
    // Reads the same bytes as UTF-16, including lone surrogates.
    const text = String.fromCharCode(
      ...Uint16Array.from({ length: bytes.length >> 1 }, (_, i) => (bytes[2 * i] << 8) | bytes[2 * i + 1]),
    );
    const target = new Uint8Array(text.length * 3 + 4);
    const end = writeUtf8(target, 2, text);
    const wanted = new TextEncoder().encode(text);
    if (text.isWellFormed() ? Buffer.compare(target.subarray(2, end), wanted) !== 0 : end !== -1)
      throw new Error("the bytes differ from TextEncoder's");
    if (utf8Length(text) !== wanted.length) throw new Error("utf8Length");
    return `${want === null} ${end < 0} ${Math.min(bytes.length >> 4, 20)}`;
  };
}

export const checks = { frames: checkFrames, utf8: checkUtf8 };
