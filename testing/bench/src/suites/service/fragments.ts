import type { Kind } from "../../corpus/kind.js";

/** Parts of documents. They are measured like a class, but are not messages of the mix. */
export interface Fragments {
  readonly id: FragmentId;
  readonly documents: readonly unknown[];
}

/** Their names in result files. */
export type FragmentId = "pairs" | "texts";

/** Their names in tables. */
export const FRAGMENTS: Readonly<Record<FragmentId, string>> = {
  pairs: "arrays of pairs of floats",
  texts: "texts with 10 to 150 non-ASCII characters",
};

const MIN_PAIRS = 8;
const MAX_DOCUMENTS = 400;
const TEXTS_IN_A_DOCUMENT = 16;
const TEXT = { least: 10, most: 150 };

/** Arrays of pairs of floats, as coordinates are, and lists of texts with characters that need several bytes. */
export function cutFragments(kinds: readonly Kind[]): Fragments[] {
  const pairs: unknown[] = [];
  const texts = new Set<string>();
  for (const { documents } of kinds) for (const document of documents) collect(document, pairs, texts);
  const all = [...texts];
  const lists: string[][] = [];
  for (let i = 0; i + TEXTS_IN_A_DOCUMENT <= all.length; i += TEXTS_IN_A_DOCUMENT) {
    lists.push(all.slice(i, i + TEXTS_IN_A_DOCUMENT));
  }
  return [
    { id: "pairs", documents: pairs.slice(0, MAX_DOCUMENTS) },
    { id: "texts", documents: lists.slice(0, MAX_DOCUMENTS) },
  ];
}

function collect(value: unknown, pairs: unknown[], texts: Set<string>): void {
  if (typeof value === "string" && isForeign(value)) texts.add(value);
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value) && value.length >= MIN_PAIRS && value.every(isPair)) pairs.push(value);
  else for (const child of Object.values(value)) collect(child, pairs, texts);
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(isFloat);
}

function isFloat(value: unknown): boolean {
  return typeof value === "number" && !Number.isInteger(value);
}

function isForeign(text: string): boolean {
  let count = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) count++;
  return count >= TEXT.least && count <= TEXT.most;
}
