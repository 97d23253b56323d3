/** Schemas and values that the PCK tests share. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  array,
  bytes,
  f64,
  ivar,
  map,
  nullable,
  omitNull,
  ref,
  schema,
  toDocument,
  U8,
  UTF8,
  UVAR,
  u16,
  u64,
  utf8,
  withDefault,
} from "@moonpack/pck";
import { emptyFolder } from "./run.js";

/** A schema as users write it. */
export const PLAYER = `
import { ivar, omitNull, ref, schema, u16, utf8, withDefault } from "@moonpack/pck";
export const Point = schema("Point", ivar("x"), ivar("y"));
export const Newer = schema("Player", utf8("name"), withDefault(u16("level"), 7 satisfies number));
export default schema("Player", utf8("name"), omitNull(ref("at", Point)));
`;

const Point = schema("Point", ivar("x"), ivar("y"));
const Player = schema(
  "Player",
  utf8("name"),
  u64("score"),
  omitNull(ref("at", Point)),
  array("kids", UVAR),
  map("ages", UTF8, nullable(U8)),
  f64("ratio"),
  bytes("avatar"),
);
const Newer = schema("Player", utf8("name"), withDefault(u16("level"), 7));

/** Schema documents: of the values below, and a newer version. */
export const PLAYER_DOCUMENT = JSON.stringify(toDocument(Player));
export const NEWER_DOCUMENT = JSON.stringify(toDocument(Newer));

export const ANN =
  '{"name":"Ann","score":"18446744073709551615","at":{"x":1,"y":-2},"kids":[1,300],"ages":[["a",1],["b",null]],"ratio":100000000000000000000.0,"avatar":"AQID"}';
export const ZOE = '{"name":"Zoë","score":"0","at":null,"kids":[],"ages":[],"ratio":"NaN","avatar":""}';

/** Creates a folder with these files. */
export function folderWith(files: { readonly [name: string]: string | Uint8Array }): string {
  const folder = emptyFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
