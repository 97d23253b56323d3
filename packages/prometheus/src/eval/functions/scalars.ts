/** Functions that return a scalar. */
import type { CallPlan, Grid } from "../../plan/nodes.js";
import { maxOf, minOf } from "../../plan/numbers.js";
import type { Run } from "../run.js";
import { timesOf } from "../selected-ranges.js";

/** Evaluates a call: a value for each step. */
export async function scalarCalled(run: Run, { name, arguments: args }: CallPlan, grid: Grid): Promise<Float64Array> {
  switch (name) {
    case "pi":
      return new Float64Array(grid.count).fill(Math.PI);
    case "time":
      return timesOf(grid).map((time) => time / 1000);
    case "scalar":
      return onlyValue(run, args[0]!, grid);
    default: {
      const of = name === "max_of" ? maxOf : minOf;
      const left = await run.scalar(args[0]!, grid);
      const right = await run.scalar(args[1]!, grid);
      return left.map((value, i) => of(value, right[i]!));
    }
  }
}

/** `scalar`: the value of the only series; NaN for none and for several. */
async function onlyValue(run: Run, vector: CallPlan["arguments"][number], grid: Grid): Promise<Float64Array> {
  const values = new Float64Array(grid.count).fill(Number.NaN);
  const counts = new Uint32Array(grid.count);
  await run.each(vector, grid, (series) => {
    for (let i = 0; i < grid.count; i++)
      if (series.present[i] === 1) values[i] = counts[i]!++ === 0 ? series.values[i]! : Number.NaN;
    return run.pace.spend(grid.count);
  });
  return values;
}
