// Which functions of the pages a step calls for the first time: `npm run measures` finds their files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(import.meta.dirname, '../../node_modules/.cache/measures');

/** Loads the page again until it is `ready`, and writes where the functions begin, by script, that ran in the step and not before. */
export async function recordFunctions(
  page: Page,
  name: string,
  ready: () => Promise<void>,
  step: () => Promise<void>,
): Promise<void> {
  const before = await listCalled(page, async () => {
    await page.reload();
    await ready();
  });
  const ran = await listCalled(page, step);
  const fresh = [...ran].map(([script, offsets]) => {
    const known = new Set(before.get(script));
    return [script, offsets.filter((offset) => !known.has(offset))] as const;
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(Object.fromEntries(fresh)));
}

async function listCalled(page: Page, work: () => Promise<void>): Promise<Map<string, number[]>> {
  await page.coverage.startJSCoverage({ resetOnNavigation: false });
  await work();
  const scripts = await page.coverage.stopJSCoverage();
  return new Map(
    scripts.map(({ url, functions }) => {
      const called = functions.flatMap(({ ranges: [whole] }) =>
        whole !== undefined && whole.count > 0 ? [whole.startOffset] : [],
      );
      // The first one is the script itself, which runs when it is loaded.
      return [basename(new URL(url).pathname), called.filter((offset) => offset > 0)];
    }),
  );
}
