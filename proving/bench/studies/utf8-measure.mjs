// Times the variants of `#utf8` in the runtime that loads this module. The variants take turns in many short rounds,
// and the
// lower quartile of each counts: other work of the machine slows single rounds, but not most of them, and a browser's
// clock
// sometimes stops for one.

const KINDS = {
  ASCII: "The quick brown fox jumps over the lazy dog. ",
  French: "L'été à Noël, déjà vu; où ça ? ",
  Japanese: "日本語の文章です。",
  emoji: "a😀b😎",
};
const UNITS = [8, 30, 200, 2000, 50_000];
const ROUNDS = 15;
/** Least duration of a round: clocks of browsers tick in steps of 5 to 20 us. */
const ROUND_MS = 2;

/** The modules by the names of their variants (`start` and the name lead to one), without those that the runtime cannot load. */
export async function loadVariants(start) {
  const variants = {};
  for (const name of ["default", "browser", "node", "deno", "bun"]) {
    try {
      variants[name] = await import(`${start}${name}.js`);
    } catch {
      // Node's variant needs more of node:buffer than some runtimes have.
    }
  }
  return variants;
}

/** Nanoseconds of each variant for each text: `{ kind, units, work, times: { name: ns } }`. */
export function measureAll(variants) {
  const rows = [];
  for (const [kind, unit] of Object.entries(KINDS)) {
    for (const units of UNITS) {
      // Converted to bytes and back: a flat string, as decoders return it.
      const text = [...unit.repeat(Math.ceil(units / unit.length)).slice(0, units)].join("");
      const bytes = new TextEncoder().encode(text);
      const room = new Uint8Array(units * 3 + 16);
      const view = new DataView(bytes.buffer);
      rows.push({
        kind,
        units,
        work: "read",
        times: timed(
          variants,
          ({ readUtf8 }) =>
            () =>
              readUtf8(bytes, view, 0, bytes.length),
        ),
      });
      rows.push({
        kind,
        units,
        work: "write",
        times: timed(
          variants,
          ({ writeUtf8 }) =>
            () =>
              writeUtf8(room, 3, text),
        ),
      });
    }
  }
  return rows;
}

function timed(variants, actOf) {
  const acts = Object.entries(variants).map(([name, variant]) => ({ name, act: actOf(variant), calls: 1, rounds: [] }));
  // The least of three, since an interruption could make a round seem long enough.
  for (const one of acts) while (Math.min(roundOf(one), roundOf(one), roundOf(one)) < ROUND_MS) one.calls *= 2;
  for (let round = 0; round < ROUNDS; round++)
    for (const one of acts) one.rounds.push((roundOf(one) / one.calls) * 1e6);
  return Object.fromEntries(acts.map(({ name, rounds }) => [name, Number(lowerQuarter(rounds).toPrecision(3))]));
}

function lowerQuarter(rounds) {
  const sorted = rounds.filter((ns) => ns > 0).sort((a, b) => a - b);
  return sorted[sorted.length >> 2];
}

function roundOf({ act, calls }) {
  const begun = performance.now();
  for (let i = 0; i < calls; i++) act();
  return performance.now() - begun;
}
