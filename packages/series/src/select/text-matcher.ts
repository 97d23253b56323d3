/** Conditions of one text, and the values of a tag that meet them. */

/** Values of a tag: a list of texts, or all texts with a prefix that pass a test. */
export type ValueSet =
  | { readonly list: readonly string[] }
  | { readonly prefix: string; readonly test: ((value: string) => boolean) | undefined };

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
    (test) => ({ prefix: start, test: start === prefix ? undefined : test }),
  );
}

/** Texts that pass a test. All of them have the prefix, which must be findable. */
export function passing(test: (value: string) => boolean, prefix: string): TextMatcher {
  return withOthers(test, () => ({ prefix, test }));
}

/** All texts that do not meet a condition. */
export function not({ test, found, others }: TextMatcher): TextMatcher {
  return { test: (value) => !test(value), found: others, others: found };
}

/** Texts that meet both conditions. */
export function both(a: TextMatcher, b: TextMatcher): TextMatcher {
  return withOthers(
    (value) => a.test(value) && b.test(value),
    (test) => common(a.found, b.found, test),
  );
}

function common(a: ValueSet, b: ValueSet, test: (value: string) => boolean): ValueSet {
  if ("list" in a) return { list: a.list.filter(test) };
  if ("list" in b) return { list: b.list.filter(test) };
  const [short, long] = a.prefix.length < b.prefix.length ? [a.prefix, b.prefix] : [b.prefix, a.prefix];
  return long.startsWith(short) ? { prefix: long, test } : { list: [] };
}

function withOthers(
  test: (value: string) => boolean,
  found: (test: (value: string) => boolean) => ValueSet,
): TextMatcher {
  return { test, found: found(test), others: { prefix: "", test: (value) => !test(value) } };
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
