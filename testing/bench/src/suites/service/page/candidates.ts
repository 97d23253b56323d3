import * as msgpackr from "msgpackr";
import { jsonPack } from "../../../candidates/json-pack.js";
import { moonpackCandidates } from "../../../candidates/moonpack.js";
import { msgpackJavaScript } from "../../../candidates/msgpack-javascript.js";
import type { Candidate } from "../../../types.js";
import { jsonInPages } from "../../browsers/page/candidates.js";
import { msgpackrCandidate } from "../msgpackr.js";

/** The functions of the package, which generate no code in pages. */
const moonpack = moonpackCandidates.find(({ id }) => id === "moonpack")!;

/** The others. Bundlers take msgpackr's form without the native extractor. */
export const rivalsInPages: readonly Candidate[] = [
  msgpackrCandidate({ id: "msgpackr-js", title: "msgpackr" }, () => msgpackr),
  jsonPack,
  msgpackJavaScript,
  jsonInPages,
];

/** All of them, which take turns in a page. */
export const candidatesInPages: readonly Candidate[] = [moonpack, ...rivalsInPages];
