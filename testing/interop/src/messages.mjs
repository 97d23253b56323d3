// Random messages in the form that protobuf.js takes, with values that fit their types.

/** A generator of numbers from 0 to `n` - 1, the same for the same seed (mulberry32). */
export function randomSource(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % n;
  };
}

// Not -0: protobuf.js writes ProtoJSON with JSON.stringify, which writes -0 as 0.
const FLOATS = [0, 1.5, -0.1, 1 / 3, 1e-45, -1e30, 3.4028234663852886e38, Infinity, -Infinity, Number.NaN];
const DOUBLES = [...FLOATS, 5e-324, 1.7976931348623157e308, 2 ** 53 + 2];
const TEXTS = ["", "a", "é", "日本語", "😀 and\u0000", "x".repeat(127), "é".repeat(64), "y".repeat(20_000)];

/** An integer of `bits` bits, of any magnitude, sometimes one of the limits or 0. */
function integer(random, bits, signed) {
  const size = BigInt(random(bits + 1));
  let value = (BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32));
  value = random(8) === 0 ? (1n << size) - 1n : value & ((1n << size) - 1n);
  return signed ? BigInt.asIntN(bits, random(2) === 0 ? value : -value) : BigInt.asUintN(bits, value);
}

const number = (bits, signed) => (random) => Number(integer(random, bits, signed));
const text64 = (signed) => (random) => String(integer(random, 64, signed));
const SCALARS = new Map([
  ["double", (random) => DOUBLES[random(DOUBLES.length)]],
  ["float", (random) => Math.fround(FLOATS[random(FLOATS.length)])],
  ["int32", number(32, true)],
  ["sint32", number(32, true)],
  ["sfixed32", number(32, true)],
  ["uint32", number(32, false)],
  ["fixed32", number(32, false)],
  ["int64", text64(true)],
  ["sint64", text64(true)],
  ["sfixed64", text64(true)],
  ["uint64", text64(false)],
  ["fixed64", text64(false)],
  ["bool", (random) => random(2) === 0],
  ["string", (random) => TEXTS[random(random(10) === 0 ? TEXTS.length : TEXTS.length - 1)]],
  ["bytes", (random) => Uint8Array.from({ length: random(random(10) === 0 ? 5000 : 20) }, () => random(256))],
]);

/** A message of a protobuf.js type, with nested messages up to `depth`. */
export function randomMessage(type, random, depth = 3) {
  const message = {};
  const density = 2 + random(6);
  for (const field of type.fieldsArray) {
    field.resolve();
    const isMessage = field.resolvedType !== null && !("values" in field.resolvedType);
    if (random(density) > 0 || (isMessage && depth === 0)) continue;
    const many = () => Array.from({ length: random(isMessage ? 3 : 12) }, () => randomValue(field, random, depth));
    if (field.map) {
      const keyOf = () => String(SCALARS.get(field.keyType)(random));
      message[field.name] = Object.fromEntries(many().map((value) => [keyOf(), value]));
    } else if (field.repeated) message[field.name] = many();
    else {
      for (const other of field.partOf?.oneof ?? []) delete message[other];
      message[field.name] = randomValue(field, random, depth);
    }
  }
  return message;
}

function randomValue({ type, resolvedType }, random, depth) {
  if (resolvedType === null) return SCALARS.get(type)(random);
  if (!("values" in resolvedType)) return randomMessage(resolvedType, random, depth - 1);
  const values = Object.values(resolvedType.values);
  return values[random(values.length)];
}
