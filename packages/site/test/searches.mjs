// What readers search for, and the page that must come first.
import { until } from "./pages/hands.mjs";
import { goTo, openPage } from "./visit.mjs";

/** Queries, each with the page or section of its first result. */
const SEARCHES = [
  ["csp", "msgpack.html#generated-code"],
  ["express", "http.html"],
  ["fastify", "http.html"],
  ["bigint", "msgpack.html#types"],
  ["go", "pck-go.html"],
  ["size", "benchmarks/size.html"],
  ["install", "start.html"],
  ["benchmark", "benchmarks/service.html"],
  ["streams", "streams.html"],
  ["redis", "redis.html"],
  ["socket.io", "websockets.html"],
  ["protobuf", "protobuf.html"],
  ["schema", "pck.html"],
  ["schema documents", "pck-format.html#schema-documents"],
  ["error codes", "errors.html"],
  ["jest", "commonjs-typescript-jest.html"],
  ["deno", "runtimes.html"],
  ["date", "msgpack.html#types"],
  ["msgpackr", "upgrading.html"],
  ["trpc", "trpc.html"],
  ["request id", "trace.html"],
  ["prometheus", "prometheus.html"],
  ["hex", "playground.html"],
  ["explain bytes", "playground.html"],
  ["go service", "examples/pck-go.html"],
  ["express browser", "examples/http-express.html"],
  ["schema from json", "pck.html#a-schema-from-your-data"],
  ["last hour", "series.html#windows"],
  ["inspect", "cli.html#inspect"],
];

/** Types each query into the search of the site at `url`. */
export async function searches(context, url, expect) {
  const { page, faults } = await openPage(context);
  await goTo(page, `${url}start.html`);
  await page.keyboard.press("Control+k");
  await page.locator(".VPLocalSearchBox input").waitFor();
  const wrong = [];
  let last = "";
  for (const [query, wanted] of SEARCHES) {
    // At once: between slow keys, a part of the query would be searched for.
    await page.fill(".VPLocalSearchBox input", query);
    const first = await until(
      page,
      ([text, before]) => {
        const results = [...document.querySelectorAll(".VPLocalSearchBox .result")];
        const input = document.querySelector(".VPLocalSearchBox input");
        const all = results.map((one) => one.getAttribute("href")).join();
        return input.value === text && all !== "" && all !== before && { href: results[0].href, all };
      },
      [query, last],
    );
    last = first.all;
    if (!first.href.startsWith(`${url}${wanted}`)) wrong.push(`${query}: ${first.href}`);
  }
  expect(`${SEARCHES.length} queries find their page first`, wrong.join("\n"), "");
  const excerpt = await until(page, () => document.querySelector(".VPLocalSearchBox .excerpt mark")?.textContent);
  expect("results have excerpts with the word", excerpt.toLowerCase(), "inspect");
  expect("no errors while searching for many words", faults.join("\n"), "");
  await page.close();
}
