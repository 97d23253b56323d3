// Checks for streams: an input in parts gives the same as in one piece.
import { Decoder } from "moonpack";
import { StreamDecoder } from "moonpack/stream";
import { outcome, same } from "./outcome.mjs";

const keepAll = { unknownExtensions: "keep" };

/** The values of an iteration, and how it ends. */
function collect(next, length) {
  const values = [];
  const end = outcome(
    () => {
      for (const value of next()) values.push(value);
    },
    length,
    () => "end",
  );
  return { values, end };
}

/** At most `count` values. */
function* upTo(most, values) {
  let count = 0;
  if (most > 0)
    for (const value of values) {
      yield value;
      if (++count >= most) return;
    }
}

function checkStream() {
  return (bytes) => {
    // The input's own bytes choose where it is cut and how it is read.
    const step = 1 + (bytes.length > 0 ? bytes[bytes.length >> 1] % 61 : 0);
    const options = bytes.length % 2 === 0 ? keepAll : { ...keepAll, strict: true };
    const whole = collect(() => new Decoder(options).decodeMulti(bytes), bytes.length);
    // As many values are taken after each part; the others wait for the end.
    const most = bytes.length % 3 === 0 ? step % 3 : Infinity;
    const parts = collect(function* () {
      const decoder = new StreamDecoder(options);
      for (let i = 0; i < bytes.length; i += step) {
        const part = bytes.slice(i, i + step);
        yield* upTo(most, decoder.push(part));
        part.fill(0xc1);
      }
      yield* decoder;
      decoder.end();
    }, bytes.length);
    same(parts.values, whole.values, `parts of ${step}`);
    // Missing bytes are only known at a stream's end; another error may come first.
    const isSame = parts.end === whole.end || (whole.end.startsWith("ERR_TRUNCATED") && parts.end !== "end");
    if (!isSame) throw new Error(`parts of ${step}: ${parts.end}, as a whole ${whole.end}`);
    return `${step} ${whole.end}`;
  };
}

export const checks = { stream: checkStream };
