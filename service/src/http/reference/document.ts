// Documents that the server renders: templates with escaping, the frame of a page, its policy and its style.
import { createHash } from 'node:crypto';
import { describeTheme, navigation, nextTheme, type Theme, themeIcons } from './pageFrame.ts';

/** The type, colours and grid of our pages; light and dark as chosen, or as the system prefers. */
export const style = `
:root { color-scheme: light dark; --paper: light-dark(#f6f3ec, #15130f); --card: light-dark(#fffdf8, #1e1b16);
  --ink: light-dark(#1f1b13, #f1ebdf); --soft: light-dark(#5d5647, #b3a995); --line: light-dark(#ddd6c6, #3a352b);
  --accent: light-dark(#0c6648, #7ad3a6); --amber: light-dark(#8a4b00, #eebb6d); --code: light-dark(#eeeade, #28241d) }
:root[data-theme=light] { color-scheme: light }
:root[data-theme=dark] { color-scheme: dark }
* { box-sizing: border-box }
html { scroll-padding-top: 16px; scrollbar-gutter: stable }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/23px Geist, system-ui, sans-serif }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px }
a:focus-visible, button:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px }
code, pre { font: 13px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
code { overflow-wrap: anywhere }
td:first-child code { overflow-wrap: normal }
p code, li code, td code { background: var(--code); border-radius: 3px; padding: 1px 4px }
.skip { position: absolute; left: -9999px }
.skip:focus { left: 16px; top: 8px; background: var(--card); padding: 4px 8px }
.masthead { border-bottom: 1px solid var(--line) }
.masthead > div { display: flex; align-items: center; gap: 24px; max-width: 1200px; min-height: 56px; margin: 0 auto; padding: 0 24px }
.brand { display: inline-flex; align-items: center; gap: 8px; color: inherit; font-weight: 660; letter-spacing: -0.01em; text-decoration: none }
.brand svg { color: var(--accent) }
.masthead nav { display: flex; gap: 4px }
.masthead nav a { padding: 6px 10px; border-radius: 6px; color: var(--soft); text-decoration: none; white-space: nowrap }
.masthead nav a:hover { background: var(--code); color: var(--ink) }
.masthead nav a[aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px 0 var(--accent); border-radius: 0 }
.masthead button { width: 36px; height: 36px; margin-left: auto; border: 0; border-radius: 6px; background: none; color: var(--soft);
  font: inherit; cursor: pointer }
.masthead button:hover { background: var(--code); color: var(--ink) }
.page { display: grid; grid-template-columns: 248px minmax(0, 1fr); max-width: 1200px; margin: 0 auto }
.page nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 32px 16px 32px 24px }
.page nav h2 { font-size: 13px; line-height: 20px; color: var(--soft); font-weight: 600; margin: 20px 0 4px }
.page nav ul { list-style: none; margin: 0; padding: 0 }
.page nav a { display: block; padding: 2px 0; color: inherit; text-decoration: none; font-size: 13px; line-height: 20px }
.page nav a:hover { color: var(--accent) }
.page nav details { margin: 0 }
@supports selector(::details-content) { @media (min-width: 821px) {
  .page nav summary { display: none } .page nav details::details-content { content-visibility: visible } } }
main { padding: 32px 24px 96px }
.page main { border-left: 1px solid var(--line) }
.alone { max-width: 1200px; margin: 0 auto }
.alone li { margin: 8px 0 }
h1 { font-size: 36px; line-height: 44px; margin: 0 0 4px; letter-spacing: -0.02em }
main h2 { font-size: 24px; line-height: 32px; margin: 64px 0 4px; letter-spacing: -0.01em }
h3 { font-size: 18px; line-height: 28px; margin: 0 0 4px }
h4 { font-size: 13px; line-height: 20px; color: var(--soft); font-weight: 600; margin: 20px 0 4px }
p { margin: 4px 0 8px; max-width: 76ch }
ul { max-width: 76ch; padding-left: 20px }
.lead { color: var(--soft) }
article { content-visibility: auto; contain-intrinsic-size: auto 700px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 20px 24px; margin: 16px 0 }
.route { display: flex; flex-wrap: wrap; gap: 8px; align-items: baseline; margin: 0 0 8px }
.method { color: var(--accent); font-weight: 700 }
.route code { font-size: 15px; background: none; padding: 0 }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: 13px; line-height: 20px; font-variant-numeric: tabular-nums }
th { text-align: left; color: var(--soft); font-weight: 600; padding: 4px 16px 4px 0; border-bottom: 1px solid var(--line) }
td { vertical-align: top; padding: 6px 16px 6px 0; border-bottom: 1px solid var(--line) }
tr:last-child td { border-bottom: 0 }
td:last-child, th:last-child { padding-right: 0; width: 60% }
.need { color: var(--amber) }
.soft { color: var(--soft) }
pre { background: var(--code); border-radius: 6px; padding: 12px 16px; margin: 4px 0 8px; overflow-x: auto; tab-size: 2 }
summary { cursor: pointer; font-size: 13px; color: var(--soft) }
details { margin: 8px 0 0 }
@media (max-width: 820px) { .page { display: block } .page nav { position: static; max-height: none; padding: 16px 24px 0 }
  .page nav summary { padding: 8px 0; font-weight: 600; color: inherit }
  .page nav ul { columns: 2 } .page nav li { break-inside: avoid } .page main { border-left: 0; padding-top: 16px } article { padding: 16px } }
@media (max-width: 720px) { .masthead > div { display: block; position: relative; padding: 8px 16px 0 }
  .masthead button { position: absolute; top: 8px; right: 16px } .masthead nav { margin: 0 -8px; padding-right: 24px; overflow-x: auto;
  mask-image: linear-gradient(to right, #000 calc(100% - 36px), transparent) }
  .masthead nav a { padding: 8px } .brand { min-height: 36px } .alone { padding: 16px } }
@media print { nav, header, .skip { display: none } .page { display: block } article { break-inside: avoid; border: 0; padding: 0 } }
`;

const themes = (Object.keys(nextTheme) as Theme[]).map((theme) => [
  theme,
  { next: nextTheme[theme], icon: themeIcons[theme], label: describeTheme(theme) },
]);

/** Applies the theme that was chosen on any page before anything is painted, and adds the button that changes it. */
const script = `
const themes = ${JSON.stringify(Object.fromEntries(themes))};
const root = document.documentElement;
const saved = localStorage.getItem('svc-theme');
if (saved === 'light' || saved === 'dark') root.dataset.theme = saved;
addEventListener('DOMContentLoaded', () => {
  const button = document.createElement('button');
  const show = () => {
    const { icon, label } = themes[root.dataset.theme ?? 'system'];
    button.textContent = icon;
    button.title = button.ariaLabel = label;
  };
  button.addEventListener('click', () => {
    const { next } = themes[root.dataset.theme ?? 'system'];
    if (next === 'system') delete root.dataset.theme;
    else root.dataset.theme = next;
    if (next === 'system') localStorage.removeItem('svc-theme');
    else localStorage.setItem('svc-theme', next);
    show();
  });
  show();
  document.querySelector('.masthead > div').append(button);
});
`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A document may load nothing but its own style sheet and script. */
export const documentPolicy =
  `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; img-src data:; base-uri 'none'; ` +
  `form-action 'none'; frame-ancestors 'none'`;

const icon = html`<svg viewBox="0 0 26 26" width="26" height="26" fill="currentColor" aria-hidden="true"><path d="M5 2h16a3 3 0 0 1 3
3v4.6a3.4 3.4 0 0 0 0 6.8V21a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3v-4.6a3.4 3.4 0 0 0 0-6.8V5a3 3 0 0 1 3-3zm13.1 7.2-6.6 6.6-3.1-3.1-1.7
1.7 4.8 4.8 8.3-8.3z"/></svg>`;

/** `current` is the link of the navigation that leads to this document or near it. */
export function renderDocument(title: string, body: Html, { current }: Frame = {}): string {
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><style>${{ html: style }}</style><script>${{ html: script }}</script></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header class="masthead"><div><a class="brand" href="/">${icon}svc</a><nav aria-label="Pages">
${navigation.map(([href, name]) => html`<a href="${href}"${href === current ? { html: ' aria-current="page"' } : null}>${name}</a>`)}</nav></div></header>
${body}</body></html>
`;
  return page.html;
}

type Frame = { readonly current?: string };

/** HTML from templates: every value is escaped unless it is HTML already. */
export type Html = { readonly html: string };
type Value = string | number | Html | readonly Value[] | null;

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const text = parts.map(
    (part, index) => part + (index < values.length ? render(values[index] as Value) : ''),
  );
  return { html: text.join('') };
}

function render(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  return 'html' in value ? value.html : value.map(render).join('');
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Paragraphs, lists of `- ` lines and code: the part of Markdown that the contract uses. */
export function renderText(text: string): Html[] {
  return text.split('\n\n').map((block) => {
    if (!block.startsWith('- ')) return html`<p>${renderLine(block)}</p>`;
    const items = block.split('\n').map((line) => html`<li>${renderLine(line.slice(2))}</li>`);
    return html`<ul>${items}</ul>`;
  });
}

export function renderLine(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
