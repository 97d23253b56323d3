import type { Cut } from "../kind.js";
import { compatibility } from "./compatibility.js";
import { dictionaries } from "./dictionaries.js";
import { events } from "./events.js";
import { exchangesOfGitHub } from "./exchanges.js";
import { geography } from "./geography.js";
import { github } from "./github.js";
import { manifests } from "./manifests.js";
import { numbers } from "./numbers.js";
import { rows } from "./rows.js";
import { specifications } from "./specifications.js";
import { tweets } from "./tweets.js";

/** How every kind is cut, in a fixed order. */
export const cuts: readonly Cut[] = [
  ...github,
  ...exchangesOfGitHub,
  ...events,
  ...tweets,
  ...rows,
  ...dictionaries,
  ...geography,
  ...numbers,
  ...manifests,
  ...specifications,
  ...compatibility,
];
