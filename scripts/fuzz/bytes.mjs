// Judges of what lies below the formats: frames, and UTF-8 against the platform's own.
import { ByteWriter, readFrames, readUtf8, readUtf8Lossy, utf8Length, writeFrame, writeUtf8 } from "moonpack/bytes";
import { outcome } from "./outcome.mjs";

/** Frames that can be read are written as the same bytes. */
function judgeFrames() {
  return (bytes) =>
    ["uvar", "u32le", "u32be"]
      .map((prefix) =>
        outcome(
          () => [...readFrames(bytes, { prefix })],
          bytes.length,
          (frames) => {
            const writer = new ByteWriter(1);
            for (const frame of frames) writeFrame(writer, frame, { prefix });
            if (Buffer.compare(writer.written(), bytes) !== 0) throw new Error("frames do not come back");
            return `${Math.min(frames.length, 9)}`;
          },
        ),
      )
      .join();
}

/** The same verdict, text and bytes as TextDecoder and TextEncoder. */
function judgeUtf8() {
  const strictText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lossyText = new TextDecoder("utf-8", { ignoreBOM: true });
  return (bytes) => {
    let want = null;
    try {
      want = strictText.decode(bytes);
    } catch {
      // Stays null.
    }
    const got = readUtf8(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
    if (got !== want) throw new Error("another verdict or text than TextDecoder's");
    if (readUtf8Lossy(bytes, 0, bytes.length) !== lossyText.decode(bytes))
      throw new Error("another lossy text than TextDecoder's");
    // The same bytes as UTF-16, lone surrogates and all.
    const text = String.fromCharCode(
      ...Uint16Array.from({ length: bytes.length >> 1 }, (_, i) => (bytes[2 * i] << 8) | bytes[2 * i + 1]),
    );
    const target = new Uint8Array(text.length * 3 + 4);
    const end = writeUtf8(target, 2, text);
    const wanted = new TextEncoder().encode(text);
    if (text.isWellFormed() ? Buffer.compare(target.subarray(2, end), wanted) !== 0 : end !== -1)
      throw new Error("another encoding than TextEncoder's");
    if (utf8Length(text) !== wanted.length) throw new Error("utf8Length");
    return `${want === null} ${end < 0} ${Math.min(bytes.length >> 4, 20)}`;
  };
}

export const judges = { frames: judgeFrames, utf8: judgeUtf8 };
