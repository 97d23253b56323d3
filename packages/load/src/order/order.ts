/** Which operations a round does, in which order. */
import type { Scenario, Settings } from "../options/options.js";
import { Random } from "../random.js";
import { Zipf } from "./zipf.js";

/** Entries at least and at most; each is 4 bytes. A longer round goes through its order again. */
const LEAST = 2 ** 16;
const MOST = 2 ** 22;
/** Draws for each key before the order repeats itself, where memory allows. */
const DRAWS = 4;

/** Makes the orders of a run's rounds. */
export class Orders {
  readonly #settings: Settings;
  readonly #zipf: Zipf | undefined;
  readonly #size: number;

  constructor(settings: Settings) {
    const { keys, seed, distribution } = settings;
    this.#settings = settings;
    this.#zipf = distribution === "zipf" ? new Zipf(keys, new Random(seed, 1)) : undefined;
    this.#size = Math.min(MOST, Math.max(LEAST, 2 ** Math.ceil(Math.log2(keys * DRAWS))));
  }

  /**
   * The operations of a round: a key of `get`, or the complement (`~key`) of a key of `set`. Its length is a power of two. `stream`
   * numbers the rounds.
   */
  of(stream: number, scenario: Scenario): Int32Array {
    const random = new Random(this.#settings.seed, 2 + stream);
    const gets = scenario === "get" ? 1 : scenario === "set" ? 0 : scenario.gets / 100;
    const order = new Int32Array(this.#size);
    for (let i = 0; i < order.length; i++) {
      const key = this.#zipf?.draw(random) ?? Math.floor(random.fraction() * this.#settings.keys);
      order[i] = random.fraction() < gets ? key : ~key;
    }
    return order;
  }
}
