/** Metrics as texts, in the form of selectors. */

/** A name that needs no quotes in a selector. */
export const PLAIN_NAME = /^[\p{L}\p{N}_.:/%$@-]+$/u;

/** The tag that stands for a metric's name in selectors and in line protocol, as in Prometheus. */
export const NAME_TAG = "__name__";

/** The parts of a metric that {@link metricText} reads. */
interface Named {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** A metric as the selector that selects it: `cpu.load{dc="x",host="a1"}`, tags sorted. */
export function metricText({ name, tags = {} }: Named): string {
  const pairs = Object.entries(tags)
    .filter(([, value]) => value !== "")
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${wordText(key)}=${quotedText(value)}`);
  return wordText(name) + (pairs.length === 0 ? "" : `{${pairs.join(",")}}`);
}

function wordText(word: string): string {
  return PLAIN_NAME.test(word) ? word : quotedText(word);
}

function quotedText(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
