/** A schema and its older version. */
import { omitNull, schema, u8, u32, utf8, withDefault } from "@moonpack/pck";

export const UserV1 = schema("User", u32("id"), utf8("name"));
export const User = schema("User", u32("id"), utf8("name"), withDefault(u8("level"), 1), omitNull(utf8("city")));
export const ada = { id: 7, name: "Ada", level: 3, city: null };
