// Where in a module an error of its schemas belongs: errors name a struct, and its field.
import { type AnySchema, Schema } from "@moonpack/pck";
import { type Place, SourceError } from "./evaluate/source-error.ts";

/** The place of an error of `@moonpack/pck` in schemas. `places`: where their parts were made. */
export function placeOfError(error: Error, places: ReadonlyMap<object, Place>): Place {
  // A function that refers to a schema threw, at a place that it knows.
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause)
    if (cause instanceof SourceError) return cause;
  let best: Place | undefined;
  let length = 0;
  const { message } = error;
  const offer = (where: string, place: Place | undefined) => {
    if (place === undefined || where.length <= length || !message.startsWith(`${where}: `)) return;
    best = place;
    length = where.length;
  };
  for (const [made, place] of places) {
    if (!(made instanceof Schema)) continue;
    const where = nameIn(made, message);
    offer(where, place);
    for (const field of made.fields) offer(`${where}.${field.name}`, places.get(field) ?? place);
  }
  const [first] = [...places].filter(([made]) => made instanceof Schema);
  return best ?? first?.[1] ?? { start: 0, end: 0 };
}

/** How errors call a struct. One without a name has a number there, which a field with its name has to confirm. */
function nameIn(schema: AnySchema, message: string): string {
  if (schema.name !== "") return schema.name;
  const [, where = "", field = ""] = /^(struct #\d+)(?:\.(.*?))?: /s.exec(message) ?? [];
  return field === "" || schema.fields.some(({ name }) => name === field) ? where : "";
}
