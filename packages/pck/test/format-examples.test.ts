/** The worked examples of docs/pck-format.md. */

import { textOf } from "@moonpack/harness/files.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import * as pck from "@moonpack/pck";
import { codec, fingerprint, schema, toDocument } from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { encodeReference } from "./harness/encode.ts";
import { endpointOf, engines } from "./harness/engines.ts";
import { Layout } from "./harness/layout.ts";
import type { Json } from "./harness/shape.ts";
import { hexOf } from "./harness/text.ts";

const Position = schema("Position", pck.ivar("x"), pck.ivar("y"));
const Attributes = schema("Attributes", pck.u8("str"), pck.u8("agi"), pck.u8("int"));
const Player = schema(
  "Player",
  pck.ivar("health"),
  pck.bool("jumping"),
  pck.ref("position", Position),
  pck.ref("attributes", Attributes),
);
const player = {
  health: 100,
  jumping: true,
  position: { x: 10, y: 20 },
  attributes: { str: 100, agi: 50, int: 10 },
};

const Item = schema(
  "Item",
  pck.utf8("by"),
  pck.uvar("descendants"),
  pck.uvar("id"),
  pck.omitEmpty(pck.omitNull(pck.array("kids", pck.UVAR))),
  pck.uvar("score"),
  pck.u32("time"),
  pck.utf8("title"),
  pck.omitEmpty(pck.utf8("url")),
);
const TopStories = schema("TopStories", pck.array("items", pck.REF(Item)));

interface Story {
  readonly [name: string]: unknown;
}
const stories = (JSON.parse(textOf("data/hn-top-stories.json")) as readonly Story[]).map((story) => ({
  descendants: 0,
  ...story,
}));

for (const engine of engines()) {
  describe(engine.name, () => {
    test("Player", () => {
      const players = endpointOf(engine, Player);
      expect(toHex(players.encode(player))).toBe("0164320ac8011428");
      expect(players.decode(players.encode(player))).toEqual(player);
      expect(Object.keys(players.decode(players.encode(player)) as object).join()).toBe(
        "health,jumping,position,attributes",
      );
    });

    test("Hacker News: 94,815 bytes", () => {
      const top = endpointOf(engine, TopStories);
      const bytes = top.encode({ items: stories });
      expect(bytes.length).toBe(94_815);
      const { items } = top.decode(bytes) as { readonly items: readonly Story[] };
      expect(items.length).toBe(500);
      for (const [i, story] of stories.entries() as Iterable<[number, Story]>) {
        const { by, descendants, id, kids = null, score, time, title, url = "" } = story;
        expect(items[i]).toEqual({ by, descendants, id, kids, score, time, title, url });
      }
      expect(toHex(top.encode({ items }))).toBe(toHex(bytes));
    });
  });
}

test("Hacker News, by the reference model", () => {
  const bytes = encodeReference(new Layout(toDocument(TopStories)), { items: stories } as unknown as Json);
  expect(bytes.length).toBe(94_815);
  expect(hexOf(bytes)).toBe(toHex(codec(TopStories).encode({ items: stories } as never)));
});

test("the three fingerprints", () => {
  interface Node {
    value: number;
    next: Node | null;
  }
  const Node: pck.Schema<Node> = schema("Node", pck.ivar("value"), pck.omitNull(pck.ref("next", () => Node)));
  expect(toHex(fingerprint(Player))).toBe("5a79a96d163b67db");
  expect(toHex(fingerprint(Node))).toBe("5ac501d48d978c22");
  expect(toHex(fingerprint(schema()))).toBe("251a90b5074bf408");
});
