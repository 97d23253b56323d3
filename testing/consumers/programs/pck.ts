import {
  array,
  bool,
  type Codec,
  codec,
  compare,
  DecodeError,
  decodeContainer,
  encodeContainer,
  fingerprint,
  type Infer,
  type InferInput,
  ivar,
  map,
  omitNull,
  ref,
  schema,
  U8,
  UTF8,
  utf8,
} from "@moonpack/pck";

const Position = schema("Position", ivar("x"), ivar("y"));
const Player = schema(
  "Player",
  utf8("name"),
  bool("jumping"),
  ref("position", Position),
  array("scores", U8),
  map("items", UTF8, U8),
  omitNull(utf8("title")),
);
type Player = Infer<typeof Player>;

const player: Player = {
  name: "Zoë",
  jumping: true,
  position: { x: 10, y: -20 },
  scores: [1, 2],
  items: new Map([["key", 3]]),
  title: null,
};
const players: Codec<Player, InferInput<typeof Player>> = codec(Player);
const bytes = players.encode(player);
const { position, title, items } = players.decode(bytes);
const y: number = position.y;
console.log(bytes.length, y, title, items.get("key")); // 17 -20 null 3
console.log(fingerprint(Player).length, compare(Player, Player).length); // 8 0
console.log(decodeContainer(encodeContainer(Position, [{ x: 1, y: 2 }])).values.length); // 1
try {
  players.decode(bytes.subarray(1));
} catch (error) {
  console.log(error instanceof DecodeError); // true
}
