/** Stories of Hacker News: mostly text, and lists of numbers. */
import { readFileSync } from "node:fs";
import { stored } from "@moonpack/hazelcast";
import { array, enumeration, omitNull, REF, schema, U32, u32, utf8, uvar } from "@moonpack/pck";
import type { CompactReader, CompactSerializer, CompactWriter } from "hazelcast-client";
import type { Kind } from "./kind.js";

const FILE = new URL("../../../../../../data/hn-top-stories.json", import.meta.url);

const Story = schema(
  "Story",
  utf8("by"),
  omitNull(uvar("descendants")),
  u32("id"),
  omitNull(array("kids", U32)),
  uvar("score"),
  omitNull(utf8("text")),
  u32("time"),
  utf8("title"),
  enumeration("type", "story", "job", "poll"),
  omitNull(utf8("url")),
);

class StoredStories extends stored(1001, schema("Stories", array("items", REF(Story)))) {}

/** A story as the client's compact format reads and writes it. */
class CompactStory {
  by: string | null = null;
  descendants: number | null = null;
  id = 0;
  kids: number[] | null = null;
  score = 0;
  text: string | null = null;
  time = 0;
  title: string | null = null;
  type: string | null = null;
  url: string | null = null;
}

class CompactStories {
  items: (CompactStory | null)[] | null = null;
}

const storySerializer: CompactSerializer<CompactStory> = {
  getClass: () => CompactStory,
  getTypeName: () => "Story",
  read(reader: CompactReader) {
    const story = new CompactStory();
    story.by = reader.readString("by");
    story.descendants = reader.readNullableInt32("descendants");
    story.id = reader.readInt32("id");
    story.kids = reader.readArrayOfInt32("kids");
    story.score = reader.readInt32("score");
    story.text = reader.readString("text");
    story.time = reader.readInt32("time");
    story.title = reader.readString("title");
    story.type = reader.readString("type");
    story.url = reader.readString("url");
    return story;
  },
  write(writer: CompactWriter, story: CompactStory) {
    writer.writeString("by", story.by);
    writer.writeNullableInt32("descendants", story.descendants);
    writer.writeInt32("id", story.id);
    writer.writeArrayOfInt32("kids", story.kids);
    writer.writeInt32("score", story.score);
    writer.writeString("text", story.text);
    writer.writeInt32("time", story.time);
    writer.writeString("title", story.title);
    writer.writeString("type", story.type);
    writer.writeString("url", story.url);
  },
};

const listSerializer: CompactSerializer<CompactStories> = {
  getClass: () => CompactStories,
  getTypeName: () => "Stories",
  read(reader: CompactReader) {
    const list = new CompactStories();
    list.items = reader.readArrayOfCompact("items");
    return list;
  },
  write(writer: CompactWriter, list: CompactStories) {
    writer.writeArrayOfCompact("items", list.items);
  },
};

export const stories: Kind = {
  id: "stories",
  title: "stories of Hacker News (text-heavy)",
  records: () => JSON.parse(readFileSync(FILE, "utf8")) as object[],
  Stored: StoredStories,
  compact: { serializers: [listSerializer, storySerializer] },
  toCompact({ items }) {
    const list = new CompactStories();
    list.items = items.map((story) => Object.assign(new CompactStory(), story));
    return list;
  },
};
