// The judge of streams: the parts of an input give what the input gives as a whole.
import { Decoder } from "moonpack";
import { StreamDecoder } from "moonpack/stream";
import { outcome, same } from "./outcome.mjs";

const keepAll = { unknownExtensions: "keep" };

/** The values that an iteration gives, and how it ends. */
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

function judgeStream() {
  return (bytes) => {
    // The bytes themselves say where they are cut and how they are read.
    const step = 1 + (bytes.length > 0 ? bytes[bytes.length >> 1] % 61 : 0);
    const options = bytes.length % 2 === 0 ? keepAll : { ...keepAll, strict: true };
    const whole = collect(() => new Decoder(options).decodeMulti(bytes), bytes.length);
    const parts = collect(function* () {
      const decoder = new StreamDecoder(options);
      for (let i = 0; i < bytes.length; i += step) {
        const part = bytes.slice(i, i + step);
        yield* decoder.push(part);
        part.fill(0xc1);
      }
      decoder.end();
    }, bytes.length);
    same(parts.values, whole.values, `parts of ${step}`);
    // That bytes are missing is known only at a stream's end, and something else may be wrong before it.
    const isSame = parts.end === whole.end || (whole.end.startsWith("ERR_TRUNCATED") && parts.end !== "end");
    if (!isSame) throw new Error(`parts of ${step}: ${parts.end}, as a whole ${whole.end}`);
    return `${step} ${whole.end}`;
  };
}

export const judges = { stream: judgeStream };
