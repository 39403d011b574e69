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

const refuse = () => Promise.reject(new Error('not allowed'));

test('a working clipboard API is enough', async (context) => {
  fakeBrowser(context, { clipboard: { writeText: async () => undefined }, execCommand: () => false });
  assert.equal(await copyText('0x12'), true);
});

test('without the clipboard API the older command is used', async (context) => {
  fakeBrowser(context, { execCommand: () => true });
  assert.equal(await copyText('0x12'), true);
});

test('it reports that nothing was copied', async (context) => {
  fakeBrowser(context, { clipboard: { writeText: refuse }, execCommand: () => false });
  assert.equal(await copyText('0x12'), false);
});
