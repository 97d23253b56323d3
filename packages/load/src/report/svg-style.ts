/** Styles and texts of pictures. */

/** Colours of lines, each with a contrast of at least 3 to both backgrounds. */
export const COLOURS = ["#2f7fd1", "#d9541e", "#2e8f57", "#a45fd0", "#b7791f", "#d6457f", "#1f8f9c", "#7a7f87"];

/** Styles for a light and a dark background. */
export const STYLE = `
    text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #57606a }
    .ground { fill: #ffffff }
    .title { font-size: 15px; font-weight: 600; fill: #1f2328 }
    .label { fill: #1f2328 }
    .grid { stroke: #d8dee4; stroke-width: 1; fill: none }
    .line { fill: none; stroke-width: 1.75; stroke-linejoin: round; stroke-linecap: round }
    .bar { fill: #2f7fd1; fill-opacity: 0.75 }
    .whisker { stroke: #1f2328; stroke-width: 1.5; fill: none }
    @media (prefers-color-scheme: dark) {
      text { fill: #9198a1 }
      .ground { fill: #0d1117 }
      .title, .label { fill: #f0f6fc }
      .grid { stroke: #30363d }
      .whisker { stroke: #f0f6fc }
    }`;

/** Returns the text, truncated to at most `most` characters. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, Math.max(1, Math.floor(most) - 2)).join("")}..`;
}

/** Rounds a coordinate to two decimals. */
export function round(coordinate: number): number {
  return Math.round(coordinate * 100) / 100;
}

const ENTITIES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** Escapes text for XML. Control characters, which XML does not allow, are replaced. */
export function escapedXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"]/g, (character) => ENTITIES.get(character)!)
    .replace(/[^\P{Cc}\t]|[\ufffe\uffff]/gu, "\ufffd");
}
