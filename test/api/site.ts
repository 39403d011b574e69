// One chain and one server for everything that leaves them as they are.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { createPages, type Pages } from '#service/http/pages.ts';
import { createSecret } from '#service/secrets.ts';
import { createReader } from '../support/baseChain.ts';
import { type FakeChatGateway, startChatGateway } from '../support/chatGateway.ts';
import { startSite, type TestSite } from '../support/site.ts';

export let site: TestSite;
export const chainOf = () => createReader(site.devnet.rpcUrl);
let gateway: FakeChatGateway;
before(async () => {
  gateway = await startChatGateway();
  const chat = { baseUrl: gateway.baseUrl, apiKey: createSecret('sk-test'), model: 'test' };
  site = await startSite({ chat, pages: createBuiltPages() });
});
after(async () => {
  await site.close();
  gateway.close();
});

/** Pages that are not built are a 503 that says so; here they are. */
function createBuiltPages(): Pages {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pages-'));
  mkdirSync(join(folder, 'docs'));
  for (const name of ['index.html', 'docs/index.html'])
    writeFileSync(join(folder, name), '<!doctype html><title>svc</title>');
  const pages = createPages();
  pages.load(folder);
  rmSync(folder, { recursive: true });
  return pages;
}
