// The worker of one codec in the race: it has its own code and heap, so that codecs do not affect each other.
import { answerCalls } from "../shared/worker-calls.ts";
import type { CodecId } from "./codecs.ts";
import { prepare, type Task } from "./prepare.ts";
import { clockStep, type Direction, Sampler } from "./sampling.ts";

/** The message about a codec that is ready. */
export interface ReadyNews {
  readonly messages: number;
  /** Bytes of all messages. */
  readonly bytes: number;
  /** The step of the clock. */
  readonly clockMs: number;
}

let sampler: Sampler | undefined;

answerCalls({
  async prepare({ id, task }: { id: CodecId; task: Task }): Promise<ReadyNews> {
    const { codec, messages, encoded } = await prepare(id, task);
    const clockMs = clockStep();
    sampler = new Sampler(codec, messages, encoded, clockMs);
    return { messages: messages.length, bytes: encoded.reduce((sum, { length }) => sum + length, 0), clockMs };
  },
  sample({ direction, sampleMs }: { direction: Direction; sampleMs: number }): number {
    if (sampler === undefined) throw new Error("nothing was prepared");
    return sampler.sample(direction, sampleMs);
  },
});
