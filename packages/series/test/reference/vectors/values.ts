/** Vectors of value blocks: every codec and form, their limits, and which of them is chosen. */
import { floatOf, hexOf, patternOf } from "../bytes.ts";
import { valueExamples } from "../examples.ts";
import { encodeIntegers, integerForms } from "../integers.ts";
import { countOf, encodeValues, type Values } from "../values.ts";
import { runForms } from "../xor.ts";
import { type Vector, valuesOf } from "./notation.ts";
import { findWhere, listOf, type Random, randomFrom } from "./random.ts";

const CONSTANT = 0x00;
const RUNS = 0x01;
const FOR = 0x02;
const DELTA = 0x03;
const XOR = 0x04;
const WIDE_DELTA = 0x05;
const SCALED = 0x08;
const INT64 = 0x10;

/** No E holds these. */
const HUGE = 1.2345678901234567e300;
const TINY = 9.876543210987655e-300;

/** A vector. Throws if the block does not begin with the head that the name promises. */
function vector(name: string, head: number, values: Values): Vector {
  const bytes = encodeValues(values);
  if (bytes[0] !== head) throw new Error(`${name}: head ${bytes[0]}`);
  return { name, ...valuesOf(values), bytes: hexOf(bytes) };
}

const floats = (name: string, head: number, list: readonly number[]) => vector(name, head, { floats: list });
const int64s = (name: string, head: number, list: readonly bigint[]) => vector(name, INT64 | head, { int64s: list });

/** Integers for which two codecs are equally short and the third is longer. */
function tie(one: number, other: number): number[] {
  const third = RUNS + FOR + DELTA - one - other;
  const make = (random: Random) => {
    const range = 1 + random(40);
    const slope = random(4) * random(30);
    return listOf(3 + random(70), (i) => slope * Math.floor(i / (1 + random(3))) + random(range));
  };
  return findWhere(2, make, (list) => {
    const all = list.map(BigInt);
    const size = (codec: number) => integerForms(all)[codec - RUNS]!.length;
    return encodeIntegers(all).codec !== CONSTANT && size(one) === size(other) && size(one) < size(third);
  });
}

/** Values whose bits have nothing in common, and repeat now and then. */
function unrelated(seed: number, count: number): number[] {
  const random = randomFrom(seed);
  let value = 0;
  return listOf(count, () => {
    if (random(3) !== 0) value = floatOf((BigInt(0x3ff0_0000 + random(0x10_0000)) << 32n) | BigInt(random(2 ** 32)));
    return value;
  });
}

/** Values whose changes take the same bytes with and without a bitmap: the form without is used. */
function xorTie(): number[] {
  const make = (random: Random) => listOf(4 + random(20), () => near(HUGE, BigInt(random(3) * random(90))));
  return findWhere(3, make, (list) => {
    const patterns = list.map(patternOf);
    const { all, some } = runForms(patterns.slice(1).map((pattern, i) => pattern ^ patterns[i]!));
    return all.length === some.length && encodeValues({ floats: list })[0] === XOR;
  });
}

/** A value whose bit pattern is `by` greater than the pattern of the float nearest to a decimal. */
function near(decimal: number, by: bigint): number {
  return floatOf(patternOf(decimal) + by);
}

function integerVectors(): Vector[] {
  const walk = (count: number) => {
    const random = randomFrom(count);
    return listOf(count, () => 100 + random(800));
  };
  return [
    floats("one 0", CONSTANT, [0]),
    floats("one -1", CONSTANT, [-1]),
    floats(
      "300 times 1",
      CONSTANT,
      listOf(300, () => 1),
    ),
    floats("the largest integer, 2^51", CONSTANT, [2 ** 51]),
    floats("the smallest integer, -2^51", CONSTANT, [-(2 ** 51)]),
    floats("2^51 + 1 is no integer here", XOR, [2 ** 51 + 1]),
    floats("runs of 130 and 2", RUNS, [...listOf(130, () => 5), 6, 6]),
    floats("runs of the smallest and the largest integer", RUNS, [-(2 ** 51), -(2 ** 51), 2 ** 51, 2 ** 51]),
    ...[1, 2, 7, 8, 9, 16, 25, 26, 31, 32, 33, 40, 48].map((width) =>
      floats(`differences of ${width} bits`, FOR, [2 ** width, 1, 2 ** width - 5, 3, 2 ** (width - 1) + 1, 1]),
    ),
    floats("differences of 53 bits, the most that values have", FOR, [
      ...[-(2 ** 51), 2 ** 51, 5, -(2 ** 50), 2 ** 51 - 1, -(2 ** 51)],
    ]),
    floats("64 values, one run", FOR, walk(64)),
    floats("65 values, two runs", FOR, walk(65)),
    floats("128 values, two runs", FOR, walk(128)),
    floats("129 values, three runs", FOR, walk(129)),
    floats(
      "a counter",
      DELTA,
      listOf(40, (i) => 1e9 + 1000 * i + (i % 3)),
    ),
    floats(
      "a falling counter",
      DELTA,
      listOf(67, (i) => -1e6 - 511 * i - (i % 5)),
    ),
    floats(
      "a line, 66 values: its differences are runs of 64 and 1",
      DELTA,
      listOf(66, (i) => 7 * i),
    ),
    floats("runs as short as FOR", RUNS, tie(RUNS, FOR)),
    floats("runs as short as delta", RUNS, tie(RUNS, DELTA)),
    floats("FOR as short as delta", FOR, tie(FOR, DELTA)),
  ];
}

function scaledVectors(): Vector[] {
  return [
    ...listOf(15, (i) => i + 1).map((e) =>
      floats(`${e} decimals`, SCALED | FOR, [`3e-${e}`, `-17e-${e}`, `1e-${e}`, `8e-${e}`].map(Number)),
    ),
    floats("a fraction of 16 decimals", XOR, [1e-16]),
    floats("the smallest E that holds all values", SCALED | FOR, [1.5, 2.25, 3, 1.125]),
    floats("an integer of 2^51 after scaling", SCALED | CONSTANT, [2 ** 51 / 1000]),
    floats("floats of 32 bits", SCALED | FOR, [0.7, 0.1, -0.3, 2.9].map(Math.fround)),
    floats(
      "floats of 32 bits, 5 decimals",
      SCALED | DELTA,
      listOf(30, (i) => Math.fround(20 + i * 0.00125)),
    ),
    floats("residuals of 127 and -127", SCALED | FOR, [near(1.1, 127n), near(1.3, -127n), 1.2, 1.7, 1.4]),
    floats("a residual of 128 is too much", XOR, [near(1.1, 128n), 1.3]),
    floats("sums of 0.1", SCALED | DELTA, [
      ...listOf(20, (i) => i + 1).map((n) => listOf(n, () => 0.1).reduce((sum, one) => sum + one, 0)),
    ]),
    floats("the smallest float: 0 and a residual of 1", SCALED | CONSTANT, [5e-324]),
    floats("its negative has no residual", XOR, [-5e-324]),
    floats("residuals that take more than codec 4", XOR, [...listOf(40, () => near(1.1, 127n)), near(1.1, -127n)]),
  ];
}

function specialVectors(): Vector[] {
  const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
  return [
    floats("one of each special", SCALED | FOR, [1, nan, 9, infinity, 4, -infinity, 7, -0, 2, 3]),
    floats("a special first repeats 0", SCALED | FOR, [nan, 5, 6, 9, 3, 4]),
    floats("specials that are 130 values apart", SCALED | FOR, [
      ...listOf(200, (i) => (i === 20 || i === 150 ? nan : (i * 7) % 11)),
    ]),
    floats("a special among decimals", SCALED | FOR, [0.5, 0.7, nan, 0.1, 0.4]),
    floats("a special among residuals", SCALED | FOR, [near(1.1, 3n), nan, near(5.3, -2n), 2.2, 4.4, 3.1]),
    floats("nothing but one NaN", SCALED | CONSTANT, [nan]),
    floats(
      "so many specials that codec 4 is shorter",
      XOR,
      listOf(12, () => nan),
    ),
    floats("0 and -0", SCALED | CONSTANT, [0, -0, 0, 0]),
    floats("specials among unrelated values", XOR, [1e300, nan, -0, infinity, -infinity, 1e-300]),
  ];
}

function xorVectors(): Vector[] {
  const high = floatOf(0x8000000000000001n);
  return [
    floats("one value of 64 bits", XOR, [HUGE]),
    floats("a change of 64 bits", XOR, [HUGE, floatOf(patternOf(HUGE) ^ 0x8000000000000001n), high]),
    floats("a change of the lowest bit", XOR, [HUGE, near(HUGE, 1n)]),
    floats("changes of high bits only", XOR, [HUGE, -HUGE, HUGE]),
    floats("changes across both words", XOR, [HUGE, floatOf(patternOf(HUGE) ^ 0x0000000ff0000000n), TINY]),
    floats("unrelated values", XOR, unrelated(1, 20)),
    floats("a bitmap of changes", XOR, [...listOf(30, () => HUGE), TINY, -1]),
    floats("a run without changes, then one with", XOR, [...listOf(65, () => HUGE), TINY]),
    floats("65 changes, two runs", XOR, unrelated(2, 66)),
    floats("a bitmap that would save nothing", XOR, xorTie()),
  ];
}

function int64Vectors(): Vector[] {
  const most = 2n ** 63n - 1n;
  const least = -(2n ** 63n);
  const limit = 2n ** 51n;
  return [
    int64s("int64 0", CONSTANT, [0n]),
    int64s("int64, the limits of codecs 0 to 3", RUNS, [limit, limit, -limit, -limit]),
    int64s("int64 FOR", FOR, [-300n, 12n, 299n, 0n, -1n]),
    int64s("int64 delta", DELTA, [10_000_000_000n, 10_000_000_007n, 10_000_000_013n, 10_000_000_021n]),
    int64s("int64 2^51 + 1, alone", WIDE_DELTA, [limit + 1n]),
    int64s("int64 the largest, alone", WIDE_DELTA, [most]),
    int64s("int64 the smallest, alone", WIDE_DELTA, [least]),
    int64s("int64 differences of 2^51 and -2^51", WIDE_DELTA, [most - limit, most, most - limit, most - 1n]),
    int64s("int64 differences across a word's border", WIDE_DELTA, [
      ...[2n ** 60n - 1n, 2n ** 60n, 2n ** 60n - 2n, 2n ** 60n + 2n ** 32n, 2n ** 60n - 2n ** 32n],
    ]),
    int64s(
      "int64 66 ids of 63 bits",
      WIDE_DELTA,
      listOf(66, (i) => 2n ** 62n + (BigInt(i) << 22n) + BigInt(i % 7)),
    ),
    int64s("int64 a difference of 2^51 + 1", XOR, [most, most - limit - 1n]),
    int64s("int64 the smallest and the largest", XOR, [least, most, 0n, -1n]),
  ];
}

/** Blocks without any intention: all forms, mixed. */
function randomVectors(): Vector[] {
  const random = randomFrom(4);
  return listOf(24, (i) => {
    const power = 10 ** random(6);
    const range = 10 ** (1 + random(6));
    const specials: readonly number[] = [Number.NaN, -0, Number.POSITIVE_INFINITY];
    const values = listOf(1 + random(40), () => {
      if (random(50) === 0) return specials[random(3)]!;
      const value = (random(2 * range) - range) / power + 0;
      return i % 3 === 1 ? Math.fround(value) + 0 : i % 3 === 2 ? value * 0.1 + 0 : value;
    });
    return { name: `random ${i}`, floats: valuesOf({ floats: values }), bytes: encodeValues({ floats: values }) };
  }).map(({ name, floats: list, bytes }) => ({ name, ...list, bytes: hexOf(bytes) }));
}

export function valueVectors(): Vector[] {
  const examples = valueExamples.map(({ name, hex: _, ...values }): Vector => {
    if (countOf(values) === 0) throw new Error(`${name}: no values`);
    return { name, ...valuesOf(values), bytes: hexOf(encodeValues(values)) };
  });
  return [
    ...examples,
    ...integerVectors(),
    ...scaledVectors(),
    ...specialVectors(),
    ...xorVectors(),
    ...int64Vectors(),
    ...randomVectors(),
  ];
}
