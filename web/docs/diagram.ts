// A diagram as a list of its arrows: readable without the large library that would draw it.
import { escapeHtml } from './escape.ts';

/** The two kinds of Mermaid that the guides use: states with labelled arrows, and boxes with arrows between them. */
export function renderDiagram(source: string): string {
  const names = readNames(source);
  const nameOf = (part: string, edge: string) => names.get(part) ?? (part === '[*]' ? edge : part);
  const show = (parts: readonly string[], edge: string) =>
    parts.map((part) => `<b>${escapeHtml(nameOf(part, edge))}</b>`).join(', ');
  const arrows = source.split('\n').flatMap((line) => {
    const arrow = readArrow(line.trim());
    if (arrow === null) return [];
    const [from, to] = [show(arrow.from, 'start'), show(arrow.to, 'end')];
    const label = arrow.label === '' ? '' : `<span class="quiet">${escapeHtml(arrow.label)}</span>`;
    return `<li>${from} <span aria-hidden="true">→</span><span class="hidden">leads to</span> ${to} ${label}</li>`;
  });
  return `<figure class="diagram"><ul>${arrows.join('')}</ul></figure>\n`;
}

type Arrow = { readonly from: readonly string[]; readonly to: readonly string[]; readonly label: string };

function readArrow(line: string): Arrow | null {
  const [, left, inner = '', right, after = ''] =
    /^(.+?)\s+(?:-->|--\s+(.+?)\s+-->|-\.\s+.+?\s+\.->)\s+([^:]+?)(?::\s*(.*))?$/.exec(line) ?? [];
  if (left === undefined || right === undefined) return null;
  return { from: splitBoxes(left), to: splitBoxes(right), label: inner || after };
}

/** `a & b[Shown name]` names two boxes. */
function splitBoxes(text: string): string[] {
  return text.split(' & ').map((box) => (box === '[*]' ? box : box.replace(/[[(].*$/, '')));
}

function readNames(source: string): Map<string, string> {
  const named = [...source.matchAll(/(\w+)[[(]+([^\])*]+)[\])]+/g)];
  return new Map(named.map(([, box = '', name = '']) => [box, name]));
}
