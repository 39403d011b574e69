// A program that opens a hosted wallet tool server as svc does, with an owner who says yes: for the conformance scenarios.
import { createAuthorization } from '#service/wallet/authorization.ts';
import type { GrantStore } from '#service/wallet/grants.ts';
import { openToolClient } from '#service/wallet/toolClient.ts';

const server = process.argv.at(-1) ?? '';
let kept: string | undefined;
const store: GrantStore = {
  load: () => kept,
  save: (text: string) => {
    kept = text;
  },
  locked: (work) => work(),
};
/** What a browser does with the page: it follows the way back. */
const show = (line: string) => void fetch(/http\S+/.exec(line)?.[0] ?? '').catch(() => undefined);
const authorization = createAuthorization(server, store, show);
const client = await openToolClient({ server, version: '0', authorization });
await client.call('test-tool', {}).catch(() => undefined);
await client.close();
