// Pools of random numbers: V8's generator, seeded and reimplemented, and ids from pooled entropy.
import { idBytes, ids, numbers, SEED, sequence, texts } from "./random-measure.mjs";

const GENERATOR = "proving/bench/studies/xorshift.mjs";
const IDS = "proving/bench/studies/ids.mjs";
const SEEDED = "proving/bench/src/workloads/random.ts";

export const study = {
  name: "random",
  parts: [
    { id: "sequence", kind: "counted", flags: [`--random-seed=${SEED}`], run: sequence },
    { id: "ids", kind: "counted", run: ids },
    { id: "id-bytes", kind: "counted", run: idBytes, isLong: true },
    { id: "numbers", kind: "timed", run: numbers },
    { id: "texts", kind: "timed", run: texts },
  ],
  groups: [
    {
      title: "The sequence",
      text: "200 values of `Math.random` in a process with `--random-seed=42`, compared with ours from the same seed.",
      kind: "counted",
      rows: [
        ["same.52", "equal with 52 bits per value?"],
        ["same.53", "equal with 53 bits per value?"],
        ["same.either", "equal with one of the two?"],
        ["same.pool", "does a pool only reverse the order?"],
      ],
    },
    {
      title: "Ids",
      text: "10,000 ids, and the memory of kept ids.",
      kind: "counted",
      rows: [
        ["id.well-formed", "are all 32 hexadecimal digits?"],
        ["id.distinct", "are all different?"],
        ["id.bytes", "bytes of a kept id", "bytes"],
        ["uuid.bytes", "bytes of a kept `randomUUID()`", "bytes"],
      ],
    },
    {
      title: "Creating 100 numbers",
      text: "Speed as a multiple of xorshift128+ with a pool of 1.",
      kind: "timed",
      rows: [
        ["number.pool-1.time", "xorshift128+ in JavaScript, a pool of 1, time", "time"],
        ["number.pool-64", "a pool of 64", "ratio"],
        ["number.pool-1024", "a pool of 1,024", "ratio"],
        ["number.mulberry", "mulberry32 (`Random` of the benchmarks)", "ratio"],
        ["number.math", "`Math.random`", "ratio"],
      ],
    },
    {
      title: "Creating an id",
      text: "Speed as a multiple of `crypto.randomUUID()`, which has a pool of 128.",
      kind: "timed",
      rows: [
        ["text.uuid.time", "`randomUUID()`, time", "time"],
        ["text.uuid-unpooled", "`randomUUID` without its pool", "ratio"],
        ["text.bytes", "`randomBytes(16)`, to hexadecimal text", "ratio"],
        ["text.pool-1", "ours, a pool of 1", "ratio"],
        ["text.pool-16", "ours, a pool of 16", "ratio"],
        ["text.pool-256", "ours, a pool of 256", "ratio"],
        ["text.math", "from `Math.random`: can be guessed", "ratio"],
      ],
    },
  ],
  claims: [
    {
      text: "Math.random is xorshift128+ seeded through murmur3, 64 values at a time",
      file: GENERATOR,
      code: "V8_POOL = 64",
      figure: "same.either",
      is: true,
    },
    { text: "A value has 52 random bits", file: GENERATOR, figure: "same.52", is: true, majors: [20, 22] },
    { text: "A value has 53 random bits", file: GENERATOR, figure: "same.53", is: true, majors: [24] },
    { text: "A pool changes only the order of values", file: GENERATOR, figure: "same.pool", is: true },
    { text: "Pooled ids are well-formed", file: IDS, figure: "id.well-formed", is: true },
    { text: "Pooled ids are all different", file: IDS, figure: "id.distinct", is: true },
    {
      text: "A kept id holds only its own text",
      file: IDS,
      code: 'toString("hex", start, this.#used)',
      figure: "id.bytes",
      atMost: 60,
    },
    {
      text: "Without its pool of 64 the generator takes longer (V8's own 22 %, according to the article)",
      file: GENERATOR,
      figure: "number.pool-64",
      atLeast: 1.03,
    },
    {
      text: "mulberry32 is no slower than xorshift128+ without its pool",
      file: SEEDED,
      code: "mulberry32",
      figure: "number.mulberry",
      atLeast: 1,
    },
    {
      text: "Requesting entropy for each id takes at least twice the time",
      file: IDS,
      figure: "text.pool-1",
      atMost: 0.5,
    },
    {
      text: "With a pool of 256, an id takes no longer than `randomUUID()`",
      file: IDS,
      figure: "text.pool-256",
      atLeast: 1,
    },
    {
      text: "`randomUUID` without its pool takes at least twice the time",
      file: IDS,
      figure: "text.uuid-unpooled",
      atMost: 0.5,
    },
    { text: "A kept `randomUUID()` holds a rope of its pieces", file: IDS, figure: "uuid.bytes", atLeast: 200 },
  ],
};
