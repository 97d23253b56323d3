/** Functions of one number, which are applied to each value of a vector. */

const OF_NUMBER: ReadonlyMap<string, (value: number) => number> = /* @__PURE__ */ new Map([
  ["abs", Math.abs],
  ["acos", Math.acos],
  ["acosh", Math.acosh],
  ["asin", Math.asin],
  ["asinh", Math.asinh],
  ["atan", Math.atan],
  ["atanh", Math.atanh],
  ["ceil", Math.ceil],
  ["cos", Math.cos],
  ["cosh", Math.cosh],
  ["deg", (value) => (value * 180) / Math.PI],
  ["exp", Math.exp],
  ["floor", Math.floor],
  ["ln", Math.log],
  ["log10", Math.log10],
  ["log2", Math.log2],
  ["rad", (value) => (value * Math.PI) / 180],
  ["sgn", (value) => (value < 0 ? -1 : value > 0 ? 1 : value)],
  ["sin", Math.sin],
  ["sinh", Math.sinh],
  ["sqrt", Math.sqrt],
  ["tan", Math.tan],
  ["tanh", Math.tanh],
]);

/** Returns the function of a name; undefined if there is none. */
export function numberFunctionOf(name: string): ((value: number) => number) | undefined {
  return OF_NUMBER.get(name);
}
