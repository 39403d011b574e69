// Whoever copies is told the truth: that it worked, by either way, or that the browser did not allow it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { copyText } from './copyText.ts';

/** A browser of as much as copying needs. */
function pretend(
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

test('a clipboard that takes the text is enough', async (context) => {
  pretend(context, { clipboard: { writeText: async () => undefined }, execCommand: () => false });
  assert.equal(await copyText('0x12'), true);
});

test('without a clipboard, as over plain http, the older way is used', async (context) => {
  pretend(context, { execCommand: () => true });
  assert.equal(await copyText('0x12'), true);
});

test('where nothing was copied, that is what is said', async (context) => {
  pretend(context, { clipboard: { writeText: refuse }, execCommand: () => false });
  assert.equal(await copyText('0x12'), false);
});
