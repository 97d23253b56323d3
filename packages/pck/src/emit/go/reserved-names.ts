/** Names that emitted Go uses itself, so that nothing else may have them. */

/** Go's keywords. */
export const KEYWORDS: ReadonlySet<string> = /* @__PURE__ */ words(
  "break case chan const continue default defer else fallthrough for func go goto if import interface map package range",
  "return select struct switch type var",
);

/** Predeclared names of Go that emitted functions use. */
const PREDECLARED: ReadonlySet<string> = /* @__PURE__ */ words(
  "append bool byte clear copy error false float32 float64 int int8 int16 int32 int64 iota len make map max min new nil",
  "string true uint8 uint16 uint32 uint64",
);

/** The packages that emitted functions use, and the parameters and variables that all of them have. */
const TAKEN: ReadonlySet<string> = /* @__PURE__ */ words(
  "binary math strconv pck b i depth reserved room err bits out end _",
);

/** The names of emitted functions: `encodeShape`. */
const FUNCTIONS = /^(?:pck|encode|decode|size|skip|default|names|factories)\p{Lu}/u;

/** True for a name that emitted functions use themselves. */
export function isReservedName(name: string): boolean {
  return KEYWORDS.has(name) || PREDECLARED.has(name) || TAKEN.has(name) || FUNCTIONS.test(name);
}

/** True for a name that is predeclared in Go. */
export function isPredeclared(name: string): boolean {
  return PREDECLARED.has(name);
}

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" "));
}
