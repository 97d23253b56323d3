import type { Kind } from "./kind.js";

/** The number of different objects by their keys in the documents of these kinds. The order of keys counts. */
export function countShapes(kinds: readonly Kind[]): number {
  const shapes = new Set<string>();
  for (const kind of kinds) for (const document of kind.documents) addShapes(document, shapes);
  return shapes.size;
}

function addShapes(value: unknown, found: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) found.add(JSON.stringify(Object.keys(value)));
  for (const child of Object.values(value)) addShapes(child, found);
}

/** The bytes of a document as JSON. */
export function jsonBytes(document: unknown): number {
  return Buffer.byteLength(JSON.stringify(document));
}

/** The mean of the kinds' mean lengths as JSON: of messages whose kinds are equally frequent. */
export function meanBytes(kinds: readonly Kind[]): number {
  const means = kinds.map(
    ({ documents }) => documents.reduce((sum: number, document) => sum + jsonBytes(document), 0) / documents.length,
  );
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}
