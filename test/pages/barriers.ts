// What axe-core finds on a page in light, in dark and on a phone. Nearly all of its time goes into the contrast of
// texts, so it judges each look once: texts of the same colours, size and weight have the same contrast.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Looks of texts whose contrast axe has found to be enough, on any page. */
const goodLooks = new Set<string>();

/** Fails for serious and critical findings. Looks at the page as it is now in light, in dark and on a phone; then it is light and wide again. */
export async function checkBarriers(page: Page): Promise<void> {
  // Evaluated outside the page's policy, as developer tools are.
  await page.evaluate(axe);
  await page.emulateMedia({ colorScheme: 'light' });
  assert.deepEqual(await findBarriers(page), [], 'in light');
  assert.deepEqual(await findPaleTexts(page), [], 'in light');
  await page.emulateMedia({ colorScheme: 'dark' });
  // Only the colours differ.
  assert.deepEqual(await findPaleTexts(page), [], 'in dark');
  await page.setViewportSize({ width: 390, height: 844 });
  assert.deepEqual(await findBarriers(page), [], 'on a phone');
  assert.deepEqual(await findPaleTexts(page), [], 'on a phone');
  assert.ok(!(await page.evaluate(isWide)), 'the page is wider than the phone');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_280, height: 844 });
}

/** The page, or the contents of a card or a dialog. */
const isWide =
  "[document.documentElement, ...document.querySelectorAll('.sheet > .body, dialog > .inside')].some((box) => box.scrollWidth > box.clientWidth)";

async function findBarriers(page: Page): Promise<string[]> {
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as never as Window;
    const left = axe._audit.rules.filter(
      ({ id, impact }) => id === 'color-contrast' || /minor|moderate/.test(impact),
    );
    const rules = Object.fromEntries(left.map(({ id }) => [id, { enabled: false }]));
    return (await axe.run({ resultTypes: ['violations'], rules })).violations;
  });
  return found.map(describeFinding);
}

async function findPaleTexts(page: Page): Promise<string[]> {
  const { good, found } = await page.evaluate(judgeTexts, [...goodLooks]);
  for (const look of good) goodLooks.add(look);
  return found.map(describeFinding);
}

/** Runs in the page: judges a text of each look that is not known to be good. */
async function judgeTexts(known: readonly string[]) {
  const { axe, document, getComputedStyle } = globalThis as never as Window;
  const lookOfPlace = new Map<Element, string>();
  const textsOf = new Map<string, Element[]>();
  // 4: texts only.
  const walker = document.createTreeWalker(document.body, 4);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.nodeValue.trim() === '' || element.getClientRects().length === 0) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const look = [color, fontSize, fontWeight, textShadow, readPlace(element)].join(' ');
    if (!known.includes(look)) textsOf.set(look, [...(textsOf.get(look) ?? []), element]);
  }
  const good: string[] = [];
  const pale: Pick<Finding['nodes'][number], 'html' | 'failureSummary'>[] = [];
  // Where the first text cannot be judged, for example because a dialog covers it, the others are asked.
  for (const pick of [(texts: Element[]) => texts.slice(0, 1), (texts: Element[]) => texts.slice(1)]) {
    const include = [...textsOf.values()].flatMap(pick);
    if (include.length === 0) break;
    const options = { runOnly: ['color-contrast'], elementRef: true };
    const { passes, violations } = await axe.run({ include }, options);
    for (const { html, failureSummary } of violations.flatMap(({ nodes }) => nodes))
      pale.push({ html, failureSummary });
    const judged = new Set(passes.flatMap(({ nodes }) => nodes.map(({ element }) => element)));
    for (const [look, texts] of textsOf) {
      if (!texts.some((text) => judged.has(text))) continue;
      good.push(look);
      textsOf.delete(look);
    }
  }
  return { good, found: pale.length === 0 ? [] : [{ id: 'color-contrast', nodes: pale }] };

  /** What is painted below a text or alters it: of its element and of all around it. */
  function readPlace(element: Element): string {
    const known = lookOfPlace.get(element);
    if (known !== undefined) return known;
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } =
      getComputedStyle(element);
    const pseudo = ['::before', '::after'].map((name) => getComputedStyle(element, name));
    const parts = [
      backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : backgroundColor,
      ...[backgroundImage, filter].map((value) => (value === 'none' ? '' : value)),
      opacity === '1' ? '' : opacity,
      mixBlendMode === 'normal' ? '' : mixBlendMode,
      // It may lie over anything, so another place is another look.
      /absolute|fixed/.test(position) ? JSON.stringify(element.getBoundingClientRect()) : '',
      ...pseudo.map(({ content, backgroundColor: color }) =>
        /^(none|normal)$/.test(content) ? '' : `${content} ${color}`,
      ),
      element.parentElement === null ? '' : readPlace(element.parentElement),
    ];
    const look = parts.filter((part) => part !== '').join(' ');
    lookOfPlace.set(element, look);
    return look;
  }
}

function describeFinding({ id, nodes }: Finding): string {
  return `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`;
}

type Finding = {
  readonly id: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly failureSummary: string;
    readonly element?: Element;
  }[];
};

/** What this file uses of the page; Node's types know no browser. */
type Window = {
  readonly axe: {
    /** A rule's findings all have its impact. */
    readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact: string }[] };
    readonly run: (
      ...args: object[]
    ) => Promise<{ readonly violations: readonly Finding[]; readonly passes: readonly Finding[] }>;
  };
  readonly document: {
    readonly body: Element;
    readonly createTreeWalker: (root: Element, show: number) => { readonly nextNode: () => Text | null };
  };
  readonly getComputedStyle: (element: Element, pseudo?: string) => Style;
};

type Text = { readonly nodeValue: string; readonly parentElement: Element };

type Element = {
  readonly parentElement: Element | null;
  readonly getClientRects: () => { readonly length: number };
  readonly getBoundingClientRect: () => object;
};

type Style = Readonly<
  Record<
    | 'color'
    | 'fontSize'
    | 'fontWeight'
    | 'textShadow'
    | 'backgroundColor'
    | 'backgroundImage'
    | 'opacity'
    | 'filter'
    | 'mixBlendMode'
    | 'position'
    | 'content',
    string
  >
>;
