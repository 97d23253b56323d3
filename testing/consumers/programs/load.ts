import {
  type Comparison,
  type Context,
  compare,
  type ErrorCounts,
  fromJson,
  type LoadOptions,
  type LoadResult,
  load,
  type Operation,
  type Percentiles,
  type Progress,
  type Report,
  type Target,
  toJson,
  toMarkdown,
  toReport,
  toSvg,
} from "@moonpack/load";

async function main(): Promise<void> {
  const phases = new Set<string>();
  const options: LoadOptions = {
    scenario: { gets: 50 },
    payload: [{ a: 1 }, { a: 2 }],
    operations: 100,
    rounds: 2,
    warmup: 0,
    keys: 10,
    distribution: "zipf",
    onProgress: ({ phase }: Progress) => void phases.add(phase),
  };
  const stored = new Map<number, unknown>();
  const target: Target = {
    name: "a map",
    async setup({ keys, value }: Context) {
      for (let key = 0; key < keys; key++) stored.set(key, value(key));
    },
    get: async (key) => stored.get(key),
    set: async (key, value) => stored.set(key, value),
    check: (_key, result) => typeof result === "object",
  };
  const result: LoadResult = await load(target, options);
  const errors: ErrorCounts = result.summary!.errors;
  const { p50, max }: Percentiles = result.summary!.response;
  console.log(result.summary!.operations, errors, p50 <= max, [...phases].join()); // 200 {} true setup,round

  const same = fromJson(JSON.parse(JSON.stringify(toJson(result))));
  console.log(toMarkdown(same) === toMarkdown(result), toSvg(result).startsWith("<svg ")); // true true

  const operation: Operation = async (n) => {
    if (n === 3) throw Object.assign(new Error("no"), { code: "ENO" });
  };
  const comparison: Comparison = await compare([operation, target], { operations: 10, rounds: 1, warmup: 0 });
  const { title }: Report = toReport(comparison);
  console.log(title, comparison.targets[0]!.summary!.errors); // a map beside operation { ENO: 1 }
  await load(target, { rate: -1 }).catch(({ code }) => console.log(code)); // ERR_INVALID_ARGUMENT
}
main().catch((error: unknown) => console.log(String(error)));
