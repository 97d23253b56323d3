// How the text of a schema is written.

/** A module in TypeScript, or a schema document in JSON. */
export type SchemaForm = "module" | "document";

/** The form of a text: JSON begins with a bracket, which no module does. */
export function formOf(text: string): SchemaForm {
  return /^\s*[{[]/.test(text) ? "document" : "module";
}
