/** Source text that writes values of a few bytes at `p` of `b`, after room was reserved. */
import type { Node } from "../model/model.js";
import type { Module } from "./module.js";

/** The statements for a value of a limited size. */
export interface SmallWrite {
  readonly bytes: number;
  /** Whether it is written through the DataView. */
  readonly isView: boolean;
  /** Returns the statements that write the value at `p` and advance `p`. `b`: the bytes, or the view. */
  lines(b: string, p: string): readonly string[];
}

/** Returns the statements for a value; null for types that functions of the run time write. */
export function smallWrite(module: Module, node: Node, value: string, owner: string): SmallWrite | null {
  const checked = module.target.validate;
  const stored = (count: number, lines: SmallWrite["lines"]): SmallWrite => ({ bytes: count, isView: false, lines });
  const viewed = (count: number, lines: SmallWrite["lines"]): SmallWrite => ({ bytes: count, isView: true, lines });
  const as = (check: Parameters<Module["use"]>[0], trusted = value): string =>
    checked ? `${module.use(check)}(${value})` : trusted;
  switch (node.kind) {
    case "u8":
      return stored(1, (b, p) => [`${b}[${p}++] = ${as("asU8")};`]);
    case "i8":
      return stored(1, (b, p) => [`${b}[${p}++] = ${as("asI8")};`]);
    case "u16":
      return viewed(2, (b, p) => [`${b}.setInt16(${p}, ${as("asU16")}, true);`, `${p} += 2;`]);
    case "i16":
      return viewed(2, (b, p) => [`${b}.setInt16(${p}, ${as("asI16")}, true);`, `${p} += 2;`]);
    case "u32":
      return viewed(4, (b, p) => [`${b}.setInt32(${p}, ${as("asU32")}, true);`, `${p} += 4;`]);
    case "i32":
      return viewed(4, (b, p) => [`${b}.setInt32(${p}, ${as("asI32")}, true);`, `${p} += 4;`]);
    case "u64":
      return viewed(8, (b, p) => [`${p} = ${module.use("putU64")}(${b}, ${p}, ${value});`]);
    case "i64":
      return viewed(8, (b, p) => [`${p} = ${module.use("putI64")}(${b}, ${p}, ${value});`]);
    case "f32":
      return viewed(4, (b, p) => [`${p} = ${module.use("putF32")}(${b}, ${p}, ${value});`]);
    case "f64":
      return viewed(8, (b, p) => [`${p} = ${module.use("putF64")}(${b}, ${p}, ${value});`]);
    case "uvar":
      return stored(5, (b, p) => [`${p} = ${module.use("putUvar32")}(${b}, ${p}, ${as("asU32", `${value} >>> 0`)});`]);
    case "ivar":
      return stored(5, (b, p) => [
        `${p} = ${module.use("putUvar32")}(${b}, ${p}, ${module.use("zigzag32")}(${as("asI32")}));`,
      ]);
    case "uvar64":
      return stored(10, (b, p) => [`${p} = ${module.use("putWideUvar")}(${b}, ${p}, ${value});`]);
    case "ivar64":
      return stored(10, (b, p) => [`${p} = ${module.use("putWideIvar")}(${b}, ${p}, ${value});`]);
    case "enumeration": {
      const places = module.placesOf(node.values, owner);
      // Called only where it is written, so that unused functions of the run time are not imported.
      const place = () => `${module.use("asPlace")}(${value}, ${places})`;
      const size = module.traits.maxBytesOf(node);
      if (size === 1) return stored(1, (b, p) => [`${b}[${p}++] = ${place()};`]);
      return stored(size, (b, p) => [`${p} = ${module.use("putUvar32")}(${b}, ${p}, ${place()});`]);
    }
    default:
      return null;
  }
}
