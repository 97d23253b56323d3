/** Source text that writes values of a few bytes at `p` of `b`, after room was reserved. */
import type { Node } from "../model/model.js";
import { isIdentifier } from "./code.js";
import type { Module } from "./module.js";

/** The statements for a value of a limited size. */
export interface SmallWrite {
  readonly bytes: number;
  /** Whether it is written through the DataView. */
  readonly isView: boolean;
  /** Returns the statements that write the value at `p` and advance `p`. `b`: the bytes, or the view. */
  lines(b: string, p: string): readonly string[];
}

/** Tests that a number is in range, as the checks of the run time make them. */
const TESTS = {
  asU8: (value: string) => `(${value} & 0xff) === ${value}`,
  asI8: (value: string) => `(${value} << 24) >> 24 === ${value}`,
  asU16: (value: string) => `(${value} & 0xffff) === ${value}`,
  asI16: (value: string) => `(${value} << 16) >> 16 === ${value}`,
  asU32: (value: string) => `${value} >>> 0 === ${value}`,
  asI32: (value: string) => `(${value} | 0) === ${value}`,
} as const;

/**
 * Returns the statements for a value; null for types that functions of the run time write. `local` returns a free name, for
 * checks in place; null has them made by the run time.
 */
export function smallWrite(
  module: Module,
  node: Node,
  value: string,
  owner: string,
  local: (() => string) | null,
): SmallWrite | null {
  const { validate, checksInPlace } = module.target;
  const stored = (count: number, lines: SmallWrite["lines"]): SmallWrite => ({ bytes: count, isView: false, lines });
  const viewed = (count: number, lines: SmallWrite["lines"]): SmallWrite => ({ bytes: count, isView: true, lines });
  /** Returns the statements that write a checked number. */
  const checked = (check: keyof typeof TESTS, write: (number: string) => readonly string[], trusted = value) => {
    if (!validate) return write(trusted);
    if (!checksInPlace || local === null) return write(`${module.use(check)}(${value})`);
    const name = isIdentifier(value) ? value : local();
    const before = name === value ? [] : [`const ${name} = ${value};`];
    const test = `typeof ${name} === "number" && ${TESTS[check](name)}`;
    return [...before, ...write(`${test} ? ${name} : ${module.use(check)}(${name})`)];
  };
  switch (node.kind) {
    case "u8":
      return stored(1, (b, p) => checked("asU8", (n) => [`${b}[${p}++] = ${n};`]));
    case "i8":
      return stored(1, (b, p) => checked("asI8", (n) => [`${b}[${p}++] = ${n};`]));
    case "u16":
      return viewed(2, (b, p) => checked("asU16", (n) => [`${b}.setInt16(${p}, ${n}, true);`, `${p} += 2;`]));
    case "i16":
      return viewed(2, (b, p) => checked("asI16", (n) => [`${b}.setInt16(${p}, ${n}, true);`, `${p} += 2;`]));
    case "u32":
      return viewed(4, (b, p) => checked("asU32", (n) => [`${b}.setInt32(${p}, ${n}, true);`, `${p} += 4;`]));
    case "i32":
      return viewed(4, (b, p) => checked("asI32", (n) => [`${b}.setInt32(${p}, ${n}, true);`, `${p} += 4;`]));
    case "u64":
      return viewed(8, (b, p) => [`${p} = ${module.use("putU64")}(${b}, ${p}, ${value});`]);
    case "i64":
      return viewed(8, (b, p) => [`${p} = ${module.use("putI64")}(${b}, ${p}, ${value});`]);
    case "f32":
      return viewed(4, (b, p) => [`${p} = ${module.use("putF32")}(${b}, ${p}, ${value});`]);
    case "f64":
      return viewed(8, (b, p) => [`${p} = ${module.use("putF64")}(${b}, ${p}, ${value});`]);
    case "uvar":
      return stored(5, (b, p) =>
        checked("asU32", (n) => [`${p} = ${module.use("putUvar32")}(${b}, ${p}, ${n});`], `${value} >>> 0`),
      );
    case "ivar":
      return stored(5, (b, p) =>
        checked("asI32", (n) => [`${p} = ${module.use("putUvar32")}(${b}, ${p}, ${module.use("zigzag32")}(${n}));`]),
      );
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
