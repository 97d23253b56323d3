// Short inputs that make decoders allocate, recurse or loop far beyond their length. They are recipes, so that the result file can hold them.

/** An input: `unit` as often as `times`, then `tail`; both are hexadecimal digits. */
export interface Bomb {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly times: number;
  readonly tail: string;
}

/** Every input, in the order of the table. Each is invalid, or deeper than any real message. */
export const bombs: readonly Bomb[] = [
  {
    id: "nested-headers",
    title: "24,000 nested arrays, each with a header of 65,535 elements",
    ...{ unit: "dcffff", times: 24_000, tail: "" },
  },
  { id: "array", title: "an array with a header of 4,294,967,295 elements", unit: "ddffffffff", times: 1, tail: "" },
  { id: "map", title: "a map with a header of 4,294,967,295 pairs", unit: "dfffffffff", times: 1, tail: "" },
  { id: "text", title: "a text with a header of 4,294,967,295 bytes", unit: "dbffffffff", times: 1, tail: "" },
  { id: "depth", title: "100,000 nested arrays of one element", unit: "91", times: 100_000, tail: "c0" },
  {
    id: "maps",
    title: "30,000 nested maps, each with a header of 65,535 pairs",
    unit: "deffff01",
    times: 30_000,
    tail: "",
  },
];

/** The bytes of an input. */
export function bytesOf({ unit, times, tail }: Bomb): Uint8Array {
  return Buffer.from(unit.repeat(times) + tail, "hex");
}
