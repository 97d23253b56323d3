// Built pages: links, addresses and scripts. The built site is tested in browsers: scripts/site-test.mjs.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { wayUp, withRelativeLinks } from "../src/build/base.ts";
import { withPolicy } from "../src/build/policy.ts";
import { targetOf } from "../src/content/links.ts";
import { sidebars } from "../src/content/sidebars.ts";
import { placeOf } from "../src/repository.ts";

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
  it("names the scripts of the page by their hashes, and nothing unsafe for others", () => {
    const page = '<meta charset="utf-8"><script>a()</script><script src="b.js"></script><script id="c">d()</script>';
    const policy = /content="([^"]*)"/.exec(withPolicy(page))?.[1] ?? "";
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1];
    const hash = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
    expect(scripts).toBe(`'self' ${hash("a()")} ${hash("d()")}`);
    expect(policy.startsWith("default-src 'none'")).toBe(true);
  });

  it("is missed in a page that has no place for it", () => {
    expect(() => withPolicy("<html></html>")).toThrow("no character set");
  });
});
