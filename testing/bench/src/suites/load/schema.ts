import { ARRAY, map, omitNull, REF, schema, UTF8, utf8 } from "@moonpack/pck";

const Candidate = schema("Candidate", utf8("word"), omitNull(utf8("note")));

/** The PCK schema of a dictionary. */
export const dictionarySchema = schema("Dictionary", map("readings", UTF8, ARRAY(REF(Candidate))));
