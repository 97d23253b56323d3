// Checks for whole messages: decoding in several ways, strict decoding, encoding, the dump.
import { Decoder, diagnose, Encoder } from "moonpack";
import { kindOf, outcome, same } from "./outcome.mjs";
import { valueFrom } from "./value.mjs";

const encoder = new Encoder({ maxDepth: 4096 });
const keepAll = { unknownExtensions: "keep" };

/** Decoding gives the same with and without generated code. The value can be written and read again. */
function checkDecode() {
  const ways = [
    keepAll,
    { ...keepAll, codeGeneration: false },
    { ...keepAll, maxDepth: 4096 },
    { ...keepAll, maps: "map" },
  ].map((o) => new Decoder(o));
  return (bytes) => {
    const kinds = ways.map((decoder) =>
      outcome(
        () => decoder.decode(bytes),
        bytes.length,
        (value) => {
          same(decoder.decode(encoder.encode(value)), value, "decode");
          return kindOf(value);
        },
      ),
    );
    if (kinds[0] !== kinds[1]) throw new Error(`with generated code ${kinds[0]}, without ${kinds[1]}`);
    return `${bytes[0] >> 4} ${kinds[0]}`;
  };
}

/** A message that strict decoding accepts is written as the same bytes. */
function checkStrict() {
  const decoder = new Decoder({ ...keepAll, strict: true, maps: "map", timestamps: "timestamp" });
  return (bytes) =>
    outcome(
      () => decoder.decode(bytes),
      bytes.length,
      (value) => {
        // Each value has one form, but a Map treats -0 and 0 as one key.
        const again = encoder.encode(value);
        if (Buffer.compare(again, bytes) !== 0 && !Buffer.from(bytes).toString("hex").includes("ca80000000")) {
          throw new Error(
            `strict decoding accepted bytes that are written as ${Buffer.from(again).toString("hex").slice(0, 200)}`,
          );
        }
        return `${bytes[0]} ${kindOf(value)}`;
      },
    );
}

/** Any value reads back equal, and every way of encoding gives the same bytes. */
function checkEncode() {
  const plain = new Decoder(keepAll);
  const strict = new Decoder({ ...keepAll, strict: true });
  return (bytes) => {
    const value = valueFrom(bytes);
    const out = encoder.encode(value);
    same(plain.decode(out), value, "encode");
    same(strict.decode(out), value, "encode, strict");
    if (Buffer.compare(encoder.encodeOwned(value), out) !== 0) throw new Error("two encodings differ");
    return `${out[0] >> 3} ${Math.min(20, out.length >> 4)} ${kindOf(value)}`;
  };
}

/** The dump never throws, and its items cover all bytes. */
function checkDump() {
  return (bytes) => {
    let last = { end: 0, format: "" };
    let count = 0;
    for (const item of diagnose(bytes)) {
      if (item.offset > bytes.length || item.end < item.offset)
        throw new Error(`an item spans ${item.offset} to ${item.end}`);
      if (typeof item.meaning !== "string" || typeof item.path !== "string")
        throw new Error("an item without its texts");
      last = item;
      count++;
    }
    if (last.end !== bytes.length) throw new Error(`the dump ends at ${last.end} of ${bytes.length}`);
    return `${last.format} ${last.error?.code} ${Math.min(count, 20)}`;
  };
}

export const checks = {
  decode: checkDecode,
  "decode-strict": checkStrict,
  "encode-roundtrip": checkEncode,
  diagnose: checkDump,
};
