// copyText reports whether either way of copying worked.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { copyText } from './copyText.ts';

/** Fakes the browser APIs that copying uses. */
function fakeBrowser(
  context: TestContext,
  browser: { readonly clipboard?: { writeText: () => Promise<void> }; readonly execCommand: () => boolean },
): void {
  const field = { select: () => undefined, remove: () => undefined };
  const fakes = {
    navigator: { clipboard: browser.clipboard },
    document: {
      createElement: () => field,
      querySelector: () => null,
      body: { append: () => undefined },
      activeElement: null,
      execCommand: browser.execCommand,
    },
    HTMLElement: Object,
  };
  for (const [name, value] of Object.entries(fakes)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true });
    context.after(() => {
      if (before === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, before);
    });
  }
}

const [agree, refuse] = [async () => undefined, () => Promise.reject(new Error('not allowed'))];

test('it reports whether the clipboard API or the older command has copied', async (context) => {
  for (const [writeText, isOlder, isCopied] of [
    [agree, false, true],
    [undefined, true, true],
    [refuse, false, false],
  ] as const) {
    const clipboard = writeText && { writeText };
    fakeBrowser(context, { ...(clipboard && { clipboard }), execCommand: () => isOlder });
    assert.equal(await copyText('0x12'), isCopied);
  }
});
