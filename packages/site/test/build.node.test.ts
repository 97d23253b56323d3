// Built pages: links, addresses and scripts. The built site is tested in browsers: scripts/site-test.mjs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PageData } from "vitepress";
import { describe, expect, it } from "vitest";
import { siteAddress, wayUp, withRelativeLinks } from "../src/build/base.ts";
import { foundFromAnywhere } from "../src/build/lost.ts";
import { withPolicy } from "../src/build/policy.ts";
import { previewOf } from "../src/build/previews.ts";
import { withCopiedCommands } from "../src/content/fences.ts";
import { descriptionOf } from "../src/content/heads.ts";
import { targetOf } from "../src/content/links.ts";
import { sidebars } from "../src/content/sidebars.ts";
import { withPictures } from "../src/pictures/places.ts";
import { placeOf, root } from "../src/repository.ts";

describe("pages", () => {
  it("have their places", () => {
    expect(placeOf("docs/benchmarks/service.md")).toBe("benchmarks/service.md");
    expect(placeOf("docs/README.md")).toBe("contents.md");
    expect(placeOf("UPGRADING.md")).toBe("upgrading.md");
    expect(placeOf("examples/tcp/README.md")).toBe("examples/tcp.md");
    expect(placeOf("go/README.md")).toBeUndefined();
    expect(placeOf("docs/pck-tutorial.svg")).toBeUndefined();
  });
});

describe("links", () => {
  it("lead to pages, to the README of a folder, and to files that are shown", () => {
    expect(targetOf("docs/pck.md", "pck-go.md#a")).toEqual({ file: "docs/pck-go.md", isShown: false, anchor: "#a" });
    expect(targetOf("docs/README.md", "../examples/tcp")?.file).toBe("examples/tcp/README.md");
    expect(targetOf("docs/bytes.md", "../vitest.config.ts")).toMatchObject({ file: "vitest.config.ts", isShown: true });
  });

  it("count from the top of the repository in text that the home page takes from the README", () => {
    expect(targetOf("packages/site/src/pages/index.md", "docs/pck.md")?.file).toBe("docs/pck.md");
  });

  it("to nothing are refused, and others are left alone", () => {
    expect(() => targetOf("docs/pck.md", "none.md")).toThrow("docs/pck.md: the link to none.md leads to no file");
    for (const href of ["#here", "https://example.com/x.md", "mailto:a@example.com", ""])
      expect(targetOf("docs/pck.md", href)).toBeUndefined();
  });
});

describe("the order", () => {
  it("follows the index of pages, with the benchmarks apart", () => {
    const all = sidebars("- [@moonpack/series](@moonpack/series.md)\n- [@moonpack/pck](@moonpack/pck.md)\n");
    const groups = all["/"] as { text: string; items: { text: string; link: string }[] }[];
    expect(groups[0]?.text).toBe("Start");
    expect(groups[0]?.items).toContainEqual({ text: "MessagePack", link: "/msgpack.html" });
    expect(groups.flatMap(({ items }) => items)).toContainEqual({
      text: "From cls-rtracer",
      link: "/upgrading.html#from-cls-rtracer",
    });
    expect(JSON.stringify(groups)).not.toContain("/benchmarks/service.html");
    expect(all["/api/"]).toMatchObject([
      { items: [{ text: "@moonpack/pck", link: "/api/@moonpack/pck.html" }] },
      { items: [{ text: "@moonpack/series", link: "/api/@moonpack/series.html" }] },
    ]);
    expect(JSON.stringify(all["/benchmarks/"])).toContain("/benchmarks/service.html");
  });
});

describe("the folder of the site", () => {
  it("is found from each page, or is the one that was named", () => {
    expect(wayUp("index.html", undefined)).toBe("./");
    expect(wayUp("api/moonpack/pck.html", undefined)).toBe("../../");
    expect(wayUp("api/moonpack/pck.html", "/moonpack/")).toBe("/moonpack/");
    const html = '<a href="/base-of-site/start.html">/base-of-site/</a>';
    expect(withRelativeLinks(html, "../")).toBe('<a href="../start.html">/base-of-site/</a>');
  });
});

describe("the policy", () => {
  it("allows scripts of the site alone", () => {
    const page = '<meta charset="utf-8"><script src="b.js"></script>';
    const policy = /content="([^"]*)"/.exec(withPolicy(page))?.[1] ?? "";
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'");
    expect(policy.startsWith("default-src 'none'")).toBe(true);
  });

  it("is missed in a page that has no place for it, or a script in it", () => {
    expect(() => withPolicy("<html></html>")).toThrow("no character set");
    expect(() => withPolicy('<meta charset="utf-8"><script id="a">b()</script>')).toThrow('<script id="a">');
  });
});

describe("the address of the site", () => {
  it("is a folder, or a whole address whose server previews of links name", () => {
    expect(siteAddress(undefined)).toEqual({ origin: "", folder: undefined });
    expect(siteAddress("/moonpack/")).toEqual({ origin: "", folder: "/moonpack/" });
    expect(siteAddress("https://example.org/a/b/")).toEqual({ origin: "https://example.org", folder: "/a/b/" });
    for (const wrong of ["moonpack", "/moonpack", "https://example.org/a"])
      expect(() => siteAddress(wrong)).toThrow(`SITE_BASE is ${wrong}.`);
    expect(withRelativeLinks('<meta content="https://example.org/base-of-site/a.png">', "/b/")).toBe(
      '<meta content="https://example.org/b/a.png">',
    );
  });
});

describe("the page for addresses that do not exist", () => {
  it("asks each folder above for the script that loads the rest, and has no other files", () => {
    let code = "";
    const page = `<title>x</title><link rel="preload stylesheet" href="./a.css" as="style"><script src="./assets/boot.js"></script>
      <link rel="modulepreload" href="./assets/b.js"><script type="module" src="./assets/app.js"></script>`;
    const found = foundFromAnywhere(page, (source) => {
      code = source;
      return "assets/lost.js";
    });
    const asked = [...found.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(asked.slice(0, 3)).toEqual(["./assets/lost.js", "../assets/lost.js", "../../assets/lost.js"]);
    expect(asked.every((address) => address?.endsWith("assets/lost.js"))).toBe(true);
    expect(code).toContain('["a.css"]');
    expect(code).toContain('{"type":"module","path":"assets/app.js"}');
    expect(() => foundFromAnywhere("<title>x</title>", () => "")).toThrow("loads nothing");
  });
});

describe("the text of a description", () => {
  it("is the first sentences of a page, without marks", () => {
    expect(descriptionOf("# A\n\n<!-- note -->\n\n**One** [two](a.md) `three`.\nFour.\n\nFive.")).toBe(
      "One two three. Four.",
    );
    expect(descriptionOf(`# A\n\n${"Word of a text. ".repeat(20)}`).endsWith("text.")).toBe(true);
    expect(descriptionOf(`# A\n\n${"Word ".repeat(60)}`).endsWith(" …")).toBe(true);
    expect(descriptionOf("---\na: b\n---\n# A\n\n```js\nx\n```\n\nText.")).toBe("Text.");
  });
});

describe("what is copied of a console", () => {
  const lines = (...texts: string[]) =>
    `<pre><code>${texts.map((text) => `<span class="line">${text}</span>`).join("\n")}</code></pre>`;
  /** As VitePress' button does it. */
  const copied = (html: string) =>
    html
      .replace(
        /<span class="vp-copy-ignore">(?:<span[^>]*>[^<]*(?:<span[^>]*>[^<]*<\/span>)*<\/span>|[^<])*<\/span>/g,
        "",
      )
      .replace(/<[^>]*>/g, "");

  it("is each command, without its prompt and its output", () => {
    expect(copied(withCopiedCommands(lines("$ one", "out", "$ two \\", "  more", "out")))).toBe("one\ntwo \\\n  more");
    const coloured = '<span style="a">$</span><span style="b"> npx x</span>';
    expect(copied(withCopiedCommands(lines(coloured, "out", "more out")))).toBe("npx x");
  });
});

describe("the gallery", () => {
  it("has a card with a picture and a command for each example", () => {
    const cards = withPictures("docs/examples.md", readFileSync(join(root, "docs/examples.md"), "utf8"));
    for (const name of readdirSync(join(root, "examples"))) {
      const [, card = ""] = new RegExp(`<a class="card" href="./examples/${name}.html">(.*)</a>`).exec(cards) ?? [];
      expect(card, name).toContain("<svg");
      expect(card, name).toMatch(/<code>\S.*<\/code>$/);
    }
    expect(cards).not.toContain("| example |");
  });

  it("has the commands of the examples' own pages", () => {
    const rows = readFileSync(join(root, "docs/examples.md"), "utf8").matchAll(
      /\(\.\.\/examples\/([^)]+)\) \| `([^`]+)`/g,
    );
    for (const [, name = "", command = ""] of rows) {
      const readme = readFileSync(join(root, `examples/${name}/README.md`), "utf8");
      for (const one of command.split(" && ")) expect(readme, name).toContain(one);
    }
  });
});

describe("previews of links", () => {
  it("are pictures of the size that programs ask for, and small", () => {
    const folder = join(root, "packages/site/public/previews");
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name));
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], name).toEqual([1200, 630]);
      expect(bytes.length, name).toBeLessThan(80_000);
    }
    const page = { filePath: "docs/benchmarks/size.md" } as PageData;
    expect(previewOf(page, "a", "b", "https://example.org")).toContainEqual([
      "meta",
      { property: "og:image", content: "https://example.org/base-of-site/previews/benchmarks.png" },
    ]);
  });
});
