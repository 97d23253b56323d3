// Reads texts of schemas for the page, each once.
import type { AnySchema } from "@moonpack/pck";
import type { Comparison, Emission, Look } from "./answers.ts";
import { changesOf } from "./changes.ts";
import { type EmitForm, emitted, printOf } from "./emitted.ts";
import { readSchema, type SchemaText } from "./read-schema.ts";

/** The last texts: the schema's, and the older one's. */
const KEPT = 2;

/** Answers the page's calls about texts of schemas. A schema is chosen by its name; "" chooses the preferred one. */
export class Looker {
  readonly #read = new Map<string, SchemaText>();

  look(text: string, name: string): Look {
    const read = this.#textOf(text);
    const { form, schemas, faults, note } = read;
    const chosen = chosenIn(read, name);
    const schema = schemas[chosen]?.schema;
    return {
      ...{ form, names: schemas.map((one) => one.name), chosen, faults, note },
      fingerprint: schema === undefined ? "" : printOf(schema),
    };
  }

  /** The chosen schema of a text; undefined if the text has faults. */
  schemaOf(text: string, name: string): AnySchema | undefined {
    const read = this.#textOf(text);
    return read.schemas[chosenIn(read, name)]?.schema;
  }

  emit(text: string, name: string, form: EmitForm): Emission {
    const schema = this.schemaOf(text, name);
    return schema === undefined ? { files: [], fault: "" } : emitted(schema, form);
  }

  /** Compares with the schema of the older text that has the same name, or else with the one to begin with. */
  compare(older: string, text: string, name: string): Comparison {
    const now = this.#textOf(text);
    const before = this.#textOf(older);
    const { name: sameName = "", schema } = now.schemas[chosenIn(now, name)] ?? {};
    const old = before.schemas[chosenIn(before, sameName)]?.schema;
    const changes = schema === undefined || old === undefined ? undefined : changesOf(old, schema);
    return { changes, faults: before.faults };
  }

  #textOf(text: string): SchemaText {
    let read = this.#read.get(text);
    if (read !== undefined) return read;
    read = readSchema(text);
    if (this.#read.size === KEPT) this.#read.delete(this.#read.keys().next().value!);
    this.#read.set(text, read);
    return read;
  }
}

/** The index of a schema by its name, or of the one to begin with; -1 without schemas. */
function chosenIn({ schemas, preferred }: SchemaText, name: string): number {
  if (schemas.length === 0) return -1;
  const named = name === "" ? -1 : schemas.findIndex((one) => one.name === name);
  return named >= 0 ? named : preferred;
}
