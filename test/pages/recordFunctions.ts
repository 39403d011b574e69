// Which functions of the pages run during a step: `npm run measures` finds their files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(import.meta.dirname, '../../node_modules/.cache/measures');

/** Writes, for each script, where the functions begin that ran. */
export async function recordFunctions(page: Page, name: string, step: () => Promise<void>): Promise<void> {
  await page.coverage.startJSCoverage({ resetOnNavigation: false });
  await step();
  const scripts = await page.coverage.stopJSCoverage();
  const ran = scripts.map(({ url, functions }) => {
    const called = functions.flatMap(({ ranges: [whole] }) =>
      whole !== undefined && whole.count > 0 ? [whole.startOffset] : [],
    );
    // The first one is the script itself, which ran when it was loaded.
    return [basename(new URL(url).pathname), called.filter((offset) => offset > 0)] as const;
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(Object.fromEntries(ran)));
}
