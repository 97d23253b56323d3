// The codec of the live strip, which is loaded when a visitor first changes the text.
import { stringify } from "lossless-json";
import { decode, encode } from "moonpack";
import { BYTES_LINKS } from "../playground/bytes/link.ts";
import { parseJson } from "../playground/shared/exact-json.ts";
import { fragmentOf } from "../playground/shared/link.ts";
import { type Strip, stripOf } from "./strip.ts";

/** Longer texts are for the playground. */
const MAX_CHARACTERS = 5000;

/** Encodes JSON and decodes the bytes. Throws an Error that says what is wrong. */
export function converted(json: string): Strip {
  if (json.length > MAX_CHARACTERS) throw new Error("The playground reads longer texts.");
  const value = parseJson(json);
  const bytes = encode(value);
  return stripOf(stringify(value) ?? "", bytes, stringify(decode(bytes)) ?? "");
}

/** The address in the playground that explains the bytes of JSON. */
export function explained(json: string): Promise<string> {
  return fragmentOf(BYTES_LINKS, { text: json, form: "json", name: "" });
}
