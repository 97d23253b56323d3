/**
 * PCK containers in parts: read while their bytes arrive, written while values do.
 *
 * @example
 * import { readContainer } from "@moonpack/pck/stream";
 * for await (const player of readContainer(createReadStream("players.pck"))) console.log(player);
 *
 * @module
 */
export {
  type ReadContainerOptions,
  readContainer,
  type WriteContainerOptions,
  writeContainer,
} from "./containers.js";
