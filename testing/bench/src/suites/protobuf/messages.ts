import { Random, times } from "../../workloads/random.js";

/** The value of protobuf.js's own benchmark. */
export const smallMessage = {
  string: "Lorem ipsum dolor sit amet.",
  uint32: 9000,
  inner: {
    int32: 20161110,
    innerInner: { long: { low: 1051, high: 151234, unsigned: false }, enum: 1, sint32: -42 },
    outer: { bool: [true, false, false, true, false, false, true], double: 204.8 },
  },
  float: 0.25,
};

/** Layers of the documents with about 18, 30 and 36 MB. */
export const LAYERS = { 18: 3000, 30: 5000, 36: 6000 } as const;

/** One of these documents, by its size in MB. */
export type Megabytes = keyof typeof LAYERS;

interface Layer {
  readonly layers: Layer[];
}

const STREETS = ["Oak", "Elm", "Park", "Mill", "Hill", "High", "Lake", "Ash"];
const KINDS = ["St", "Ave", "Rd", "Way", "Ln"];
const CLASSES = ["group", "rectangle", "shapePath", "bitmap", "text"];

/**
 * A drawing with this many layers, each with 2 to 300 fills. Four of five layers are inside any earlier one, the others in the
 * outermost.
 */
export function drawing(count: number): Layer {
  const random = new Random(20_161_110);
  const layers = times(count, () => layer(random));
  for (let index = 1; index < count; index++) {
    const parent = index >= 2 && random.chance(0.8) ? random.integer(0, index - 1) : 0;
    layers[parent]!.layers.push(layers[index]!);
  }
  return layers[0]!;
}

function layer(random: Random): Layer {
  const flag = () => random.chance(0.5);
  return {
    do_objectID: [8, 4, 4, 4, 12].map((length) => random.hex(length).toUpperCase()).join("-"),
    _class: random.pick(CLASSES),
    booleanOperation: random.integer(-1, 3),
    frame: {
      width: random.integer(1, 4000),
      height: random.integer(1, 4000),
      x: random.integer(-4000, 4000),
      y: random.integer(-4000, 4000),
    },
    isFixedToViewport: flag(),
    isFlippedHorizontal: flag(),
    isFlippedVertical: flag(),
    isLocked: flag(),
    isVisible: flag(),
    layerListExpandedType: random.integer(0, 2),
    resizingConstraint: random.integer(0, 63),
    resizingType: random.integer(0, 3),
    rotation: random.next() * 360,
    shouldBreakMaskChain: flag(),
    hasClickThrough: flag(),
    includeInExport: flag(),
    style: { _class: "style", fills: times(random.integer(2, 300), () => fill(random)) },
    layers: [],
    _binary: Uint8Array.from(times(16, () => random.integer(0, 255))),
  } as Layer;
}

function fill(random: Random) {
  const channel = () => Math.fround(random.next());
  return {
    _class: `${random.integer(1, 999)} ${random.pick(STREETS)} ${random.pick(KINDS)}`,
    isEnabled: random.chance(0.5),
    color: { alpha: channel(), blue: channel(), green: channel(), red: channel() },
  };
}
