import { formatOf, type NumberColumn, type NumberRow, type NumberTable } from "../../../report/numbers.js";

type Child = Node | string;

/** Creates an element. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** The tables, each below its title. */
export function tablesView(tables: readonly NumberTable[]): HTMLElement[] {
  return tables.map((numbers) => {
    const { title, text } = numbers;
    const note = element("p", { className: "note" }, ...marked(text));
    return element("div", {}, element("h2", {}, ...marked(title)), note, scrolling(numbers));
  });
}

/** A table that can be scrolled with the keyboard. */
function scrolling(numbers: NumberTable): HTMLElement {
  const box = element("div", { className: "scroll", tabIndex: 0, role: "region" }, tableElement(numbers));
  box.setAttribute("aria-label", numbers.title.replaceAll("`", ""));
  return box;
}

function tableElement({ columns, rows, unit }: NumberTable): HTMLTableElement {
  const heads = columns.map(({ title }) => element("th", { scope: "col" }, ...marked(title)));
  return element(
    "table",
    {},
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "message"), ...heads)),
    element(
      "tbody",
      {},
      ...rows.map((row) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, ...marked(row.title)),
          ...columns.map((column) => cell(row, column, column.unit ?? unit)),
        ),
      ),
    ),
  );
}

function cell({ values, spreads }: NumberRow, { id }: NumberColumn, unit: NumberTable["unit"]): HTMLTableCellElement {
  const value = values[id];
  if (value === undefined) return element("td", {}, "–");
  const format = formatOf(unit);
  const spread = spreads?.[id];
  const isRatio = unit === "ratio";
  return element(
    "td",
    { className: isRatio && value < 1 ? "behind" : "" },
    isRatio ? element("strong", {}, `${format(value)}×`) : format(value),
    ...(spread === undefined ? [] : [element("small", {}, `${format(spread[0])}–${format(spread[1])}`)]),
  );
}

/** Text with code between backticks. */
function marked(text: string): Child[] {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : element("code", {}, part)));
}
