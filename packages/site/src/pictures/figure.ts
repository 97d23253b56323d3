// Shared by all pictures: SVG inside the page, in the colours of its theme, with a title and a description for screen readers.

/** The width of pictures in SVG units: a phone's width, so that their text stays readable there. */
export const WIDTH = 360;

/** A picture with its description. */
export interface Figure {
  /** Unique on a page; letters and hyphens. */
  readonly id: string;
  readonly title: string;
  /** All that the picture says, in words. */
  readonly description: string;
  readonly height: number;
  /** The elements of the SVG. */
  readonly content: string;
  /** Colours and their meanings: classes of the theme's style sheet. */
  readonly legend?: readonly (readonly [colour: string, meaning: string])[];
}

/** The picture as a block of HTML without empty lines, as Markdown wants it. */
export function figure({ id, title, description, height, content, legend = [] }: Figure): string {
  const keys = legend.map(([colour, meaning]) => `<span class="key ${colour}">${escaped(meaning)}</span>`).join(" ");
  return [
    `<figure class="picture" v-pre>`,
    `<figcaption>${escaped(title)}${keys === "" ? "" : `<span class="keys">${keys}</span>`}</figcaption>`,
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-text">`,
    `<title id="${id}-title">${escaped(title)}</title>`,
    `<desc id="${id}-text">${escaped(description)}</desc>`,
    content.replace(/\n\s*/g, "\n").trim(),
    "</svg>",
    "</figure>",
  ].join("\n");
}

/** Text for SVG and HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A coordinate with one decimal. */
export const round = (value: number): number => Math.round(value * 10) / 10;
