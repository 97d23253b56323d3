// A chart for each route and status: the median, the 99th percentile and the maximum of each ten seconds.
import Plot from "/uplot.js";

const LINES = [
  { name: "p50", label: "median", stroke: "#2a7de1" },
  { name: "p99", label: "99 %", stroke: "#e08b00" },
  { name: "max", label: "maximum", stroke: "#c43c3c" },
];
const axis = () => ({ stroke: getComputedStyle(document.body).color, grid: { stroke: "#8884" } });

const charts = new Map();
const main = document.querySelector("main");

function chartOf(title) {
  const heading = document.createElement("h2");
  heading.textContent = title;
  main.append(heading);
  const series = [{}, ...LINES.map(({ label, stroke }) => ({ label, stroke, value: (_, v) => v?.toFixed(1) ?? "--" }))];
  const options = {
    width: main.clientWidth,
    height: 220,
    series,
    axes: [axis(), { ...axis(), label: "milliseconds" }],
  };
  return new Plot(options, [[]], main);
}

async function refresh() {
  const routes = await (await fetch("/latency.json")).json();
  for (const { route, status, starts, ...columns } of routes) {
    const title = `${route} (${status})`;
    if (!charts.has(title)) charts.set(title, chartOf(title));
    charts.get(title).setData([starts.map((start) => start / 1000), ...LINES.map(({ name }) => columns[name])]);
  }
}

addEventListener("resize", () => {
  for (const chart of charts.values()) chart.setSize({ width: main.clientWidth, height: 220 });
});
await refresh();
setInterval(refresh, 5000);
