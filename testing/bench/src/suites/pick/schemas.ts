/** Two fields of messages that have a schema: PCK beside Avro's resolver, and Protobuf beside protobuf.js. */
import { codec, f64, ref, schema, u8, u32, utf8, uvar } from "@moonpack/pck";
import { pick } from "@moonpack/pck/pick";
import { FieldPicker } from "@moonpack/protobuf/pick";
import { protobuf } from "@moonpack/protobufjs-8";
import avro from "avsc";

/** A way to read the two fields. The first one of a race decodes everything. */
interface FieldReader {
  readonly id: string;
  readonly payload: Uint8Array;
  readonly read: (payload: Uint8Array) => unknown;
}

const HEADER = { tenant: "acme", region: "eu-central-1" };
/** Texts and numbers by turns, after the two that are read. */
const MORE = Array.from({ length: 17 }, (_, i) => [`field${i}`, i % 3 === 0 ? "utf8" : i % 3 === 1 ? "f64" : "uvar"]);

function record(): Record<string, unknown> {
  const value = (type: string, i: number): unknown =>
    type === "utf8" ? `value ${i}` : type === "f64" ? i + 0.5 : i * 300;
  return {
    id: 7,
    header: HEADER,
    status: 3,
    ...Object.fromEntries(MORE.map(([name, type], i) => [name, value(type!, i)])),
  };
}

/** PCK: `decode`, `pick`, and avsc, which resolves the writer's schema to one of two fields. */
function pckReaders(): FieldReader[] {
  const makers = { utf8, f64, uvar };
  const Header = schema("Header", utf8("tenant"), utf8("region"));
  const fields = MORE.map(([name, type]) => makers[type as keyof typeof makers](name!));
  const Order = schema("Order", u32("id"), ref("header", Header), u8("status"), ...fields);
  const orders = codec(Order);
  const payload = orders.encode(record() as never);
  const paths = { id: "id", tenant: "header.tenant" } as const;
  const all = pick(orders, paths);
  const first = pick(orders, paths, { rest: "ignore" });
  const header = { type: "record", name: "Header", fields: [text("tenant"), text("region")] };
  const avroTypes: Readonly<Record<string, string>> = { utf8: "string", f64: "double", uvar: "int" };
  const writer = avro.Type.forSchema({
    type: "record",
    name: "Order",
    fields: [
      { name: "id", type: "int" },
      { name: "header", type: header },
      { name: "status", type: "int" },
      ...MORE.map(([name, type]) => ({ name: name!, type: avroTypes[type!]! })),
    ],
  } as avro.Schema);
  const reader = avro.Type.forSchema({
    type: "record",
    name: "Order",
    fields: [
      { name: "id", type: "int" },
      { name: "header", type: { type: "record", name: "Header", fields: [text("tenant")] } },
    ],
  } as avro.Schema);
  const resolver = reader.createResolver(writer);
  return [
    {
      id: "decode",
      payload,
      read(bytes) {
        const { id, header } = orders.decode(bytes) as unknown as { id: number; header: { tenant: string } };
        return { id, tenant: header.tenant };
      },
    },
    { id: "pick", payload, read: (bytes) => all.decode(bytes) },
    { id: "ignore", payload, read: (bytes) => first.decode(bytes) },
    {
      id: "rival",
      payload: writer.toBuffer(record()),
      read(bytes) {
        const { id, header } = reader.fromBuffer(bytes as Buffer, resolver) as {
          id: number;
          header: { tenant: string };
        };
        return { id, tenant: header.tenant };
      },
    },
  ];
}

function text(name: string): { name: string; type: string } {
  return { name, type: "string" };
}

/** Protobuf: `decode` of protobuf.js, our FieldPicker, and the same with the bytes of all other fields. */
function protobufReaders(): FieldReader[] {
  const types: Readonly<Record<string, string>> = { utf8: "string", f64: "double", uvar: "uint32" };
  const { root } = protobuf.parse(`syntax = "proto3";
    message Header { string tenant = 1; string region = 2; }
    message Order { uint32 id = 1; Header header = 2; uint32 status = 3;
    ${MORE.map(([name, type], i) => `${types[type!]} ${name} = ${i + 4};`).join(" ")} }`);
  const Order = root.lookupType("Order");
  const payload = Order.encode(Order.fromObject(record())).finish();
  const paths = { id: [1, "uint32"], tenant: [2, 1, "string"] } as const;
  const fields = new FieldPicker(paths);
  const withRest = new FieldPicker(paths, { rest: true });
  const two = ({ id, tenant }: { readonly id?: unknown; readonly tenant?: unknown }) => ({ id, tenant });
  return [
    {
      id: "decode",
      payload,
      read(bytes) {
        const { id, header } = Order.decode(bytes) as unknown as { id: number; header: { tenant: string } };
        return { id, tenant: header.tenant };
      },
    },
    { id: "pick", payload, read: (bytes) => two(fields.decode(bytes)) },
    { id: "rest", payload, read: (bytes) => two(withRest.decode(bytes)) },
  ];
}

/** The races. */
export const schemaCases = [
  { id: "pck", title: "PCK, 2 of 20 fields", readers: pckReaders },
  { id: "protobuf", title: "Protobuf, 2 of 20 fields", readers: protobufReaders },
] as const;
