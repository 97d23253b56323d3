/** The picture in a browser, light and dark: texts are inside the picture, readable, and do not overlap. */
import { findRuntime } from "@moonpack/tools/runtimes";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { compare, type Target, toSvg } from "../src/index.js";

const browser = await findRuntime("chromium");

/** A text in the page: its box, its colour and its background colour as red, green and blue. */
interface Shown {
  readonly text: string;
  readonly box: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly colour: string;
}

/** Relative luminance, as defined in the Web Content Accessibility Guidelines. */
function luminance(colour: string): number {
  const [red, green, blue] = [...colour.matchAll(/\d+/g)].map(([part]) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

test.runIf(browser !== undefined).each(["light", "dark"] as const)("in Chromium, %s", async (colorScheme) => {
  const target = (name: string): Target => ({ name, get: () => new Promise((resolve) => void setTimeout(resolve, 1)) });
  const long = `a server with a name that is ${"very ".repeat(30)}long`;
  const result = await compare([target("short"), target(long)], {
    operations: 300,
    rate: 3000,
    warmup: 0,
    rounds: 2,
  });
  const running = await chromium.launch({ executablePath: browser!.executable, args: ["--disable-gpu"] });
  try {
    const page = await running.newPage({ colorScheme, viewport: { width: 1000, height: 800 } });
    await page.setContent(`<body style="margin: 0">${toSvg(result)}`);
    const [ground, ...texts] = await page.$$eval("svg > .ground, svg > text", (elements) =>
      elements.map((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return {
          text: element.textContent ?? "",
          box: { left, right, top, bottom },
          colour: getComputedStyle(element).fill,
        };
      }),
    );
    expect(ground!.colour).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(13, 17, 23)");
    expect(texts.length).toBeGreaterThan(12);
    for (const { text, box, colour } of texts as Shown[]) {
      expect(contrast(colour, ground!.colour), text).toBeGreaterThan(4.5);
      expect([box.left >= 0, box.right <= 960, box.bottom <= ground!.box.bottom], text).toEqual([true, true, true]);
      for (const other of texts as Shown[]) {
        if (other.text === text) continue;
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        expect(across > 0 && down > 1, `${text} on ${other.text}`).toBe(false);
      }
    }
  } finally {
    await running.close();
  }
});
