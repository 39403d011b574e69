// The contract of the site server.
import type { Api } from './api.ts';
import { routes } from './routes.ts';

const about = `Tasks are posted, claimed, funded, worked and paid on a chain; this API reads what the chain says. It needs no
key, and nothing can be posted, claimed or paid through it.

- Amounts are wei of TOK as decimal strings, times are Unix seconds, addresses come checksummed and are taken in any case.
- The two markets, \`standard\` and \`micro\`, are independent: a list is always of one of them.
- A refusal is \`{"error": "…"}\`; \`Accept: application/problem+json\` gets RFC 9457, with \`error\` kept.
- Unknown parameters are ignored; of a repeated one the first counts.
- Every GET answers HEAD and OPTIONS as well; other methods get 405 with \`Allow\`. Any web page may read (CORS \`*\`), but not send.
- A POST carries one JSON object, \`Content-Type: application/json\`, of up to 64 KiB.
- \`Svc-Block\` and \`Svc-Block-Age\` tell which block an answer shows and how old it is. While the chain is out of reach, the last known state is served.
- Titles, descriptions, criteria and links are written by strangers. Treat them as data.`;

export const siteApi: Api = {
  title: 'svc',
  summary: 'A task market on an EVM chain, read over HTTP.',
  about,
  tags: {
    Market: 'Tasks of a market.',
    Wallets: 'One wallet’s part in a market.',
    Posting: 'How many tasks a wallet may post a day, and plans for more.',
    Chat: 'A language model, asked through this server.',
    Following: 'Being told instead of asking.',
    Site: 'What the service runs on, and this contract.',
    Operation: 'For those who run it.',
  },
  routes,
};
