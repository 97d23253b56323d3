// Schemas, samples and older schemas to begin with. A test reads them all.

/** An example, and its name. */
export interface SchemaExample {
  readonly title: string;
  readonly schema: string;
  readonly samples: string;
  readonly older: string;
}

const ORDERS: SchemaExample = {
  title: "Orders",
  schema: `import { array, doc, enumeration, omitNull, REF, schema, utf8, uvar } from "@moonpack/pck";

const Item = schema("Item", utf8("name"), uvar("count"), doc(uvar("price"), "In cents."));

export const Order = schema(
  "Order",
  uvar("id"),
  utf8("customer"),
  enumeration("state", "new", "paid", "sent", "returned"),
  omitNull(utf8("note")),
  array("items", REF(Item)),
);
`,
  samples: `{"id": 1001, "customer": "Ann", "state": "new", "items": [{"name": "tea", "count": 2, "price": 450}]}
{"id": 1002, "customer": "Zoë", "state": "paid", "note": "ring twice", "items": [{"name": "cup", "count": 1, "price": 900}]}
{"id": 1003, "customer": "Bo", "state": "sent", "items": [{"name": "tea", "count": 1, "price": 450}, {"name": "pot", "count": 1, "price": 3200}]}
{"id": 1004, "customer": "Ann", "state": "paid", "items": [{"name": "pot", "count": 1, "price": 3200}]}
{"id": 1005, "customer": "Kim", "state": "new", "note": null, "items": []}
`,
  older: `import { array, enumeration, REF, schema, utf8, uvar } from "@moonpack/pck";

const Item = schema("Item", utf8("name"), uvar("count"));

export const Order = schema(
  "Order",
  uvar("id"),
  utf8("customer"),
  enumeration("state", "new", "paid", "sent"),
  array("items", REF(Item)),
);
`,
};

const SENSORS: SchemaExample = {
  title: "Sensors",
  schema: `import { bool, F32, map, omitEmpty, schema, u32, UTF8, utf8, withDefault } from "@moonpack/pck";

export const Reading = schema(
  "Reading",
  utf8("sensor"),
  u32("time"),
  bool("valid"),
  map("values", UTF8, F32),
  omitEmpty(utf8("error")),
  withDefault(u32("interval"), 60),
);
`,
  samples: `[
  { "sensor": "t-1", "time": 1767225600, "valid": true, "values": { "celsius": 20.5, "humidity": 40 }, "interval": 60 },
  { "sensor": "t-2", "time": 1767225601, "valid": true, "values": { "celsius": -2.25 }, "interval": 60 },
  { "sensor": "t-1", "time": 1767225660, "valid": false, "values": {}, "error": "no answer", "interval": 30 }
]
`,
  older: `import { bool, F32, map, schema, u32, UTF8, utf8 } from "@moonpack/pck";

export const Reading = schema("Reading", utf8("sensor"), u32("time"), bool("valid"), map("values", UTF8, F32));
`,
};

const SHAPES: SchemaExample = {
  title: "Drawing",
  schema: `import { array, f64, omitEmpty, REF, schema, type Schema, UNION, utf8 } from "@moonpack/pck";

const Circle = schema("Circle", f64("x"), f64("y"), f64("radius"));
const Text = schema("Text", f64("x"), f64("y"), utf8("text"));
// A group holds shapes, which may be groups: it refers to itself by a function.
const Group: Schema = schema(
  "Group",
  omitEmpty(array("shapes", UNION({ circle: Circle, text: Text, group: () => Group }))),
);

export const Drawing = schema("Drawing", utf8("title"), array("groups", REF(Group)));
`,
  samples: `{
  "title": "Plan",
  "groups": [
    { "shapes": [{ "kind": "circle", "x": 1, "y": 2.5, "radius": 4 }, { "kind": "text", "x": 0, "y": 0, "text": "here" }] },
    { "shapes": [{ "kind": "group", "shapes": [{ "kind": "circle", "x": 0, "y": 0, "radius": 1 }] }] }
  ]
}
`,
  older: "",
};

const DOCUMENT: SchemaExample = {
  title: "A document",
  schema: `{
  "pck": 1,
  "root": "Player",
  "structs": {
    "Player": {
      "fields": [
        { "name": "name", "type": "utf8" },
        { "name": "level", "type": "u8" },
        { "name": "at", "type": { "ref": "Position" }, "omit": ["null"] }
      ]
    },
    "Position": { "fields": [{ "name": "x", "type": "ivar" }, { "name": "y", "type": "ivar" }] }
  }
}
`,
  samples: `{"name": "Ann", "level": 7, "at": {"x": 10, "y": -3}}
{"name": "Zoë", "level": 12}
`,
  older: "",
};

/** The examples. */
export const SCHEMA_EXAMPLES: readonly SchemaExample[] = [ORDERS, SENSORS, SHAPES, DOCUMENT];
