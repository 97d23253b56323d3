/** Words that mean something in emitted Go, so that nothing else can be called by them. */

/** Go's keywords. */
export const KEYWORDS: ReadonlySet<string> = /* @__PURE__ */ words(
  "break case chan const continue default defer else fallthrough for func go goto if import interface map package range",
  "return select struct switch type var",
);

/** What Go declares itself and emitted functions use. */
const PREDECLARED: ReadonlySet<string> = /* @__PURE__ */ words(
  "append bool byte clear copy error false float32 float64 int int8 int16 int32 int64 iota len make map max min new nil",
  "string true uint8 uint16 uint32 uint64",
);

/** Packages that emitted functions use, and the names of parameters and variables that each has. */
const TAKEN: ReadonlySet<string> = /* @__PURE__ */ words("binary math strconv pck b i depth owed err bits out end _");

/** What emitted functions are called: `encodeShape`. */
const FUNCTIONS = /^(?:pck|encode|decode|size|skip|default|names|factories)\p{Lu}/u;

/** Is it a name that emitted functions need themselves? */
export function isTaken(name: string): boolean {
  return KEYWORDS.has(name) || PREDECLARED.has(name) || TAKEN.has(name) || FUNCTIONS.test(name);
}

/** Has Go a type of this name that needs no declaration? */
export function isPredeclared(name: string): boolean {
  return PREDECLARED.has(name);
}

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" "));
}
