import { array, omitEmpty, omitNull, REF, schema, UVAR, u32, utf8, uvar } from "@moonpack/pck";
import type { Des, Ser } from "seqproto";
import { avroRecord, byHand, type Story, type Workload } from "./workload.js";

type Item = Required<Story>;

const Item = schema(
  "Item",
  utf8("by"),
  uvar("descendants"),
  uvar("id"),
  omitEmpty(omitNull(array("kids", UVAR))),
  uvar("score"),
  u32("time"),
  utf8("title"),
  omitEmpty(utf8("url")),
);

const PROTO = `syntax = "proto3";
message Item {
  string by = 1;
  uint32 descendants = 2;
  uint32 id = 3;
  repeated uint32 kids = 4;
  uint32 score = 5;
  fixed32 time = 6;
  string title = 7;
  string url = 8;
}
message Message { repeated Item items = 1; }`;

const AVRO_ITEM = avroRecord("Item", {
  by: "string",
  descendants: "int",
  id: "int",
  kids: { type: "array", items: "int" },
  score: "int",
  time: "int",
  title: "string",
  url: "string",
});

const KIWI = `
struct Item { string by; uint descendants; uint id; uint[] kids; uint score; uint time; string title; string url; }
struct Message { Item[] items; }`;

const writeKid = (ser: Ser, kid: number) => ser.serializeUInt32(kid);
const readKid = (des: Des) => des.deserializeUInt32();

function writeItem(ser: Ser, item: Item): void {
  ser.serializeString(item.by);
  ser.serializeUInt32(item.descendants);
  ser.serializeUInt32(item.id);
  ser.serializeArray(item.kids as number[], writeKid);
  ser.serializeUInt32(item.score);
  ser.serializeUInt32(item.time);
  ser.serializeString(item.title);
  ser.serializeString(item.url);
}

function readItem(des: Des): Item {
  const by = des.deserializeString();
  const descendants = des.deserializeUInt32();
  const id = des.deserializeUInt32();
  const kids = des.deserializeArray(readKid);
  const score = des.deserializeUInt32();
  const time = des.deserializeUInt32();
  const title = des.deserializeString();
  return { by, descendants, id, kids, score, time, title, url: des.deserializeString() };
}

/** A real document: 500 stories of Hacker News in one message. */
export const hn: Workload = {
  id: "hn",
  title: "Hacker News, 500 stories",
  schema: schema("TopStories", array("items", REF(Item))),
  proto: PROTO,
  avro: avroRecord("Message", { items: { type: "array", items: AVRO_ITEM } }),
  kiwi: KIWI,
  seqproto: byHand<{ items: Item[] }>(
    (ser, { items }) => ser.serializeArray(items, writeItem),
    (des) => ({ items: des.deserializeArray(readItem) }),
  ),
  values: (stories) => [{ items: stories.map(toItem) }],
};

function toItem({ by, descendants = 0, id, kids = [], score, time, title, url = "" }: Story): Item {
  return { by, descendants, id, kids, score, time, title, url };
}
