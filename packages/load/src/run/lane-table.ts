/** The lanes of a round. A lane is a slot for one operation in flight; a round has `concurrency` lanes. */
export class LaneTable {
  /** The start time of each lane's operation; Infinity without one. */
  readonly startedAt: Float64Array;
  /** Increases when a lane abandons its operation: its former run then ends without effect. */
  readonly generation: Uint32Array;
  readonly #run: (lane: number, generation: number) => Promise<void>;
  #left = 0;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /** `run` executes operations of a lane until the round ends or the lane's generation changes. */
  constructor(count: number, run: (lane: number, generation: number) => Promise<void>) {
    this.startedAt = new Float64Array(count).fill(Infinity);
    this.generation = new Uint32Array(count);
    this.#run = run;
  }

  /** Starts all lanes. Resolves when each of them has ended. */
  start(): Promise<void> {
    const { length } = this.startedAt;
    this.#left = length;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      for (let lane = 0; lane < length; lane++) this.#launch(lane);
    });
  }

  /** Frees each lane whose operation started before `time`, calls `expired`, and continues the lane. */
  expire(time: number, expired: (lane: number) => void): void {
    for (let lane = 0; lane < this.startedAt.length; lane++) {
      if (this.startedAt[lane]! >= time) continue;
      this.#free(lane);
      expired(lane);
      this.#launch(lane);
    }
  }

  /** Ends all lanes without waiting for operations in flight. Returns their number. */
  abandon(): number {
    let inFlight = 0;
    for (let lane = 0; lane < this.startedAt.length; lane++) {
      if (this.startedAt[lane]! < Infinity) inFlight++;
      this.#free(lane);
    }
    this.#resolve();
    return inFlight;
  }

  #free(lane: number): void {
    this.startedAt[lane] = Infinity;
    this.generation[lane]!++;
  }

  #launch(lane: number): void {
    const generation = this.generation[lane]!;
    this.#run(lane, generation).then(() => {
      if (this.generation[lane] === generation && --this.#left === 0) this.#resolve();
    }, this.#reject);
  }
}
