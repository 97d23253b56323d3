// The reader of msgpackr's records: any bytes are a value or our own error, and plain MessagePack is the value of our decoder.
import { Decoder as RecordDecoder } from "@moonpack/compat/msgpackr";
import { Decoder } from "moonpack";
import { Packr } from "msgpackr";
import { kindOf, outcome, same } from "./outcome.mjs";

const STRUCTURES = [["id", "name"], ["a", "b", "c"], undefined, ["__proto__", "1023"]];

function checkRecords() {
  const plain = new Decoder({ unknownExtensions: "throw" });
  const without = new RecordDecoder();
  const others = [{ structures: STRUCTURES }, { trusted: true }, { structures: STRUCTURES, maps: "map" }].map(
    (options) => new RecordDecoder(options),
  );
  return (bytes) => {
    const end = { decoded: false, value: undefined };
    outcome(
      () => plain.decode(bytes),
      bytes.length,
      (value) => Object.assign(end, { decoded: true, value }),
    );
    const kinds = [without, ...others].map((decoder) => outcome(() => decoder.decode(bytes), bytes.length, kindOf));
    if (end.decoded) same(without.decode(bytes), end.value, "plain MessagePack");
    return kinds.join();
  };
}

/** Messages of msgpackr itself, with each of its forms. */
function records() {
  const values = [
    [
      { id: 1, name: "a" },
      { id: 2, name: "b" },
    ],
    { a: [1, "text", { b: new Set([1, 2]) }], c: new Error("broken"), d: 2n ** 80n, e: undefined },
    { list: ["recurring text", "recurring text", "é"], bytes: new Uint16Array([1, 2]) },
  ];
  const options = [{}, { bundleStrings: true }, { moreTypes: true }, { structuredClone: true }, { useRecords: false }];
  return options.flatMap((each) => {
    const packr = new Packr({ useBigIntExtension: true, ...each });
    return values.map((value) => new Uint8Array(packr.pack(value)));
  });
}

export const checks = { msgpackr: checkRecords };
/** The inputs from which fuzzing starts. */
export const RECORD_SEEDS = { msgpackr: records };
