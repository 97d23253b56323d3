/** The sending side of remote write 1.0, for tests: the fields of prompb, and snappy blocks with and without copies. */

/** A field: its number, its wire type and its bytes. */
export function field(number: number, type: number, ...content: (readonly number[] | Uint8Array)[]): number[] {
  return [...varint((number << 3) | type), ...content.flatMap((each) => [...each])];
}

export function varint(value: number | bigint): number[] {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}

/** A field of bytes or text after its length. */
export function bytes(number: number, content: readonly number[] | Uint8Array | string): number[] {
  const raw = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return field(number, 2, varint(raw.length), raw);
}

/** The bytes of a double: a number, or its bits. */
export function double(value: number | bigint): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  if (typeof value === "bigint") view.setBigUint64(0, value, true);
  else view.setFloat64(0, value, true);
  return new Uint8Array(view.buffer);
}

export function label(name: string | Uint8Array, value: string | Uint8Array): number[] {
  return bytes(1, [...bytes(1, name), ...bytes(2, value)]);
}

export function labels(record: Readonly<Record<string, string>>): number[] {
  return Object.entries(record).flatMap(([name, value]) => label(name, value));
}

export function sample(timestamp: number | bigint, value: number | bigint): number[] {
  return bytes(2, [...field(1, 1, double(value)), ...field(2, 0, varint(timestamp))]);
}

export function series(...content: readonly number[][]): number[] {
  return bytes(1, content.flat());
}

export function request(...content: readonly number[][]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(content.flat());
}

/** The bits of a staleness marker. */
export const STALE = 0x7ff0000000000002n;

/** Packs bytes as literals, or with copies where `next` finds earlier bytes that are the same. */
export function pack(raw: Uint8Array, next?: (below: number) => number): Uint8Array<ArrayBuffer> {
  const packed = varint(raw.length);
  for (let at = 0; at < raw.length; ) {
    const offset = next === undefined || at === 0 ? 0 : 1 + next(Math.min(at, 70_000));
    let length = 0;
    if (offset > 0)
      while (length < 64 && at + length < raw.length && raw[at + length] === raw[at + length - offset]) length++;
    if (length >= 4) {
      packed.push(...copy(length, offset, next!(3)));
      at += length;
      continue;
    }
    const count = Math.min(raw.length - at, next === undefined ? raw.length : 1 + next(next(10) === 0 ? 70_000 : 80));
    packed.push(...literal(raw.subarray(at, at + count)));
    at += count;
  }
  return Uint8Array.from(packed);
}

export function literal(raw: Uint8Array | readonly number[]): number[] {
  const n = raw.length - 1;
  if (n < 60) return [n << 2, ...raw];
  const extra = n < 0x100 ? 1 : n < 0x10000 ? 2 : n < 0x1000000 ? 3 : 4;
  return [(59 + extra) << 2, ...littleEndian(n, extra), ...raw];
}

/** A copy with an offset of about 1, 2 or 4 bytes: the shortest of at least this form that holds it. */
export function copy(length: number, offset: number, form: number): number[] {
  if (form === 0 && length <= 11 && offset < 2048)
    return [((offset >> 8) << 5) | ((length - 4) << 2) | 1, offset & 0xff];
  if (form <= 1 && offset < 0x10000) return [((length - 1) << 2) | 2, ...littleEndian(offset, 2)];
  return [((length - 1) << 2) | 3, ...littleEndian(offset, 4)];
}

function littleEndian(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.floor(value / 2 ** (8 * i)) & 0xff);
}
