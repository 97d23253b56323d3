import * as msgpackr from "msgpackr";
import { jsonPack } from "../../../candidates/json-pack.js";
import { moonpackCandidates } from "../../../candidates/moonpack.js";
import { msgpackJavaScript } from "../../../candidates/msgpack-javascript.js";
import type { Candidate } from "../../../types.js";
import { jsonInPages, moonpackGenerated } from "../../browsers/page/candidates.js";
import { msgpackrCandidate } from "../msgpackr.js";

const moonpack = moonpackCandidates.find(({ id }) => id === "moonpack")!;

/** Our ways to decode and encode in pages. The package's functions generate no code there. Each is measured in separate browsers. */
export const oursInPages: readonly Candidate[] = [moonpack, moonpackGenerated];

/** The others, all of which are in the company of each of ours. Bundlers take msgpackr's form without the native extractor. */
export const rivalsInPages: readonly Candidate[] = [
  msgpackrCandidate({ id: "msgpackr-js", title: "msgpackr" }, () => msgpackr),
  jsonPack,
  msgpackJavaScript,
  jsonInPages,
];
