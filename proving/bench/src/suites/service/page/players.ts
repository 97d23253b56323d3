import * as msgpackr from "msgpackr";
import { jsonPack } from "../../../players/json-pack.js";
import { moonpackPlayers } from "../../../players/moonpack.js";
import { msgpackJavaScript } from "../../../players/msgpack-javascript.js";
import type { Player } from "../../../types.js";
import { jsonInPages, moonpackGenerated } from "../../browsers/page/players.js";
import { msgpackrPlayer } from "../msgpackr.js";

const moonpack = moonpackPlayers.find(({ id }) => id === "moonpack")!;

/** Our ways to be used in pages. The functions of the package generate no code there. Each is measured in browsers of its own. */
export const oursInPages: readonly Player[] = [moonpack, moonpackGenerated];

/** The others, all of which are in the company of each of ours. Bundlers take msgpackr's form without the native extractor. */
export const rivalsInPages: readonly Player[] = [
  msgpackrPlayer({ id: "msgpackr-js", title: "msgpackr" }, () => msgpackr),
  jsonPack,
  msgpackJavaScript,
  jsonInPages,
];
