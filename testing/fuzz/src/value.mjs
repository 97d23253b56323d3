// Converts bytes to JavaScript values, so that mutated bytes give mutated values to encode.
import { Extension, Timestamp } from "moonpack";

/** The value that these bytes describe: each byte decides what comes next. Every value must read back equal. */
export function valueFrom(bytes) {
  let at = 0;
  const next = () => (at < bytes.length ? bytes[at++] : 0);
  const wide = () => new DataView(Uint8Array.from({ length: 8 }, next).buffer);
  const text = (n) => Buffer.from(Uint8Array.from({ length: n }, next)).toString("utf8");
  const set = (object, key, value) =>
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  const make = (depth) => {
    const kind = next();
    if (kind < 0x60 || depth > 30) return kind % 2 === 0 ? kind : -kind;
    switch (kind % 14) {
      case 0:
        return null;
      case 1:
        return kind > 0xb0;
      case 2:
        return wide().getFloat64(0);
      case 3:
        return wide().getFloat32(0);
      case 4: {
        const n = next() % 2 === 0 ? wide().getBigUint64(0) : wide().getBigInt64(0);
        return Number.isSafeInteger(Number(n)) ? Number(n) : n;
      }
      case 5:
        return text(next() % 50);
      case 6:
        return text(1 + (next() % 8)).repeat(1 + next());
      case 7:
        return Uint8Array.from({ length: next() % 80 }, next);
      case 8: {
        const time = new Timestamp(
          wide().getBigInt64(0) >> BigInt(next() % 64),
          (wide().getUint32(0) % 1000) * (next() % 2 === 0 ? 1e6 : 1),
        );
        return time.isDate ? time.toDate() : time;
      }
      case 9:
        return new Extension(next() % 128, Uint8Array.from({ length: next() % 20 }, next));
      case 10:
      case 11:
        return Array.from({ length: next() % 20 }, () => make(depth + 1));
      case 12: {
        const object = {};
        for (let n = next() % 20; n > 0; n--) set(object, text(next() % 12), make(depth + 1));
        return object;
      }
      default: {
        // At least one key is not a string; otherwise the map would be decoded as an object.
        const map = new Map([[next(), make(depth + 1)]]);
        for (let n = next() % 5; n > 0; n--) map.set(next() % 2 === 0 ? text(4) : next(), make(depth + 1));
        return map;
      }
    }
  };
  return make(0);
}
