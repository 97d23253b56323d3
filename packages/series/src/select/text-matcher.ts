/** Conditions of one text, and the values of a tag that meet them. */

/** Values of a tag: a list of texts, or all texts with a prefix that pass a test. */
export type ValueSet = { readonly list: readonly string[] } | WithPrefix;

/** Texts with a prefix. `list` distinguishes them: `in` would find it in a polluted prototype. */
export interface WithPrefix {
  readonly list: undefined;
  readonly prefix: string;
  readonly test: ((value: string) => boolean) | undefined;
}

/** All texts with a prefix that pass a test, if there is one. */
export function withPrefix(prefix: string, test: WithPrefix["test"]): WithPrefix {
  return { list: undefined, prefix, test };
}

/** A condition. The empty text is not among the values. */
export interface TextMatcher {
  test(value: string): boolean;
  /** The values that meet it. */
  readonly found: ValueSet;
  /** All other values. */
  readonly others: ValueSet;
}

/** True if the text can be part of a key of the index. Metrics have only such texts. */
export function isFindable(text: string): boolean {
  return text !== "" && !text.includes("\0") && text.isWellFormed();
}

/** One of several texts. */
export function oneOf(texts: readonly string[]): TextMatcher {
  const values = new Set(texts);
  return withOthers(
    (value) => values.has(value),
    () => ({ list: [...values].filter(isFindable) }),
  );
}

/** Texts with a prefix. */
export function startingWith(prefix: string): TextMatcher {
  const start = findableStart(prefix);
  return withOthers(
    (value) => value.startsWith(prefix),
    (test) => withPrefix(start, start === prefix ? undefined : test),
  );
}

/** Texts that pass a test. All of them have the prefix, which must be findable. */
export function passing(test: (value: string) => boolean, prefix: string): TextMatcher {
  return withOthers(test, () => withPrefix(prefix, test));
}

/** All texts that do not meet a condition. */
export function not({ test, found, others }: TextMatcher): TextMatcher {
  return { test: (value) => !test(value), found: others, others: found };
}

/** Texts that meet all conditions, at least one. */
export function allOf(matchers: readonly TextMatcher[]): TextMatcher {
  if (matchers.length === 1) return matchers[0]!;
  const found = matchers.map((matcher) => matcher.found);
  return withOthers(
    (value) => matchers.every((matcher) => matcher.test(value)),
    (test) => common(found, test),
  );
}

function common(sets: readonly ValueSet[], test: (value: string) => boolean): ValueSet {
  let prefix = "";
  for (const set of sets) {
    if (set.list !== undefined) return { list: set.list.filter(test) };
    const [short, long] = prefix.length < set.prefix.length ? [prefix, set.prefix] : [set.prefix, prefix];
    if (!long.startsWith(short)) return { list: [] };
    prefix = long;
  }
  return withPrefix(prefix, test);
}

function withOthers(
  test: (value: string) => boolean,
  found: (test: (value: string) => boolean) => ValueSet,
): TextMatcher {
  return { test, found: found(test), others: withPrefix("", (value) => !test(value)) };
}

/** Returns the valid start of a prefix: values have no lone surrogates and no zeros. */
function findableStart(prefix: string): string {
  let end = 0;
  for (const character of prefix) {
    if (!isFindable(character)) break;
    end += character.length;
  }
  return prefix.slice(0, end);
}
