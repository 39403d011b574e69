// `svc policy`: tries a spending policy, and shows what its log says.
import { findAction, prepareAction } from '@svc/sdk/actions';
import { formatTok, formatUsdc, parseAddress } from '@svc/sdk/domain';
import { requireAction } from '@svc/sdk/internal/actions/catalog';
import { stringifyJson } from '@svc/sdk/internal/domain/json';
import { buildMarketAccess, connect } from '../app/connect.ts';
import { loadPolicy, openLedger } from '../app/signingWallet.ts';
import { readConfig } from '../config.ts';
import { tryRequests } from '../policy/guard.ts';
import { type Spending, sumUp } from '../policy/judge.ts';
import type { Policy } from '../policy/policyFile.ts';
import { buildWalletRequest } from '../wallet/walletInterface.ts';
import { exitCodes } from './failure.ts';
import { parseOptions, parseWhole, text, type Usage, usageError, type Values } from './options.ts';
import { buildActionUsage, parsePrepareOptions } from './prepareOptions.ts';

export const usage = {
  command: 'policy',
  synopsis: ['check <file> [<action> [arguments]]', 'spent [--wallet <address>]', 'log [--limit <n>]'],
  about:
    'Tries a spending policy: check reads the file and, with an action and its arguments as in svc prepare, says whether the wallet would sign it now or ask its owner, and why. spent shows what counts in the last 24 hours, log every decision. Signs and sends nothing.',
  words: 2,
  wordList: { check: 'try a policy', spent: 'what counts now', log: 'the newest decisions, oldest first' },
  options: {
    wallet: text('<address>', 'with spent: only this wallet', parseAddress),
    limit: text('<n>', 'with log: how many decisions at most; default 100', parseWhole(10_000), 100),
  },
  json: 'print the answer as JSON, for log one line for each decision',
  notes: [
    'The log is policy.sqlite in SVC_DATA_DIR. check ends with 1 where the owner would be asked, or the policy would refuse to sign.',
  ],
  examples: [
    'svc policy check policy.json',
    'svc policy check policy.json stake --amount-tok 5 --from 0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    'svc policy spent',
  ],
} as const satisfies Usage;

/** With an action, check takes the arguments of that action. */
export function findUsage([verb, , name = '']: readonly string[]): Usage {
  const action = verb === 'check' ? findAction(name) : undefined;
  return action === undefined ? usage : buildActionUsage(action);
}

export async function run(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === 'check') return check(rest);
  const { values, words } = parseOptions(usage, args);
  if (words[0] === 'spent' && words.length === 1) return showSpent(values);
  if (words[0] === 'log' && words.length === 1) return showLog(values);
  throw usageError(wrong);
}

const wrong = 'svc policy takes check <file>, spent or log; see svc policy --help.';

async function check([file, name, ...rest]: readonly string[]): Promise<number> {
  if (file === undefined || file.startsWith('-')) throw usageError(wrong);
  const policy = loadPolicy(file);
  if (name === undefined || name === '--json') return report(name === '--json', { policy }, describe(policy));
  const json = rest.includes('--json');
  const { args } = await parsePrepareOptions(requireAction(name), rest);
  const config = readConfig();
  const connection = await connect(config);
  try {
    const access = buildMarketAccess(connection);
    const prepared = await prepareAction(name, args, async () => access);
    if (prepared.kind === 'document')
      return report(json, { allowed: true, reasons: [], spendings: [] }, [`${name} signs nothing.`]);
    const trial = { policy, ledger: openLedger(config), access };
    const { spendings, reasons } = await tryRequests(trial, [buildWalletRequest(prepared)]);
    const allowed = reasons.length === 0;
    const verdict = allowed ? ['The wallet would sign it.'] : ['The owner would be asked:', ...reasons];
    report(json, { allowed, reasons, spendings }, [...spendings.map(describeSpending), ...verdict]);
    return allowed ? exitCodes.ok : exitCodes.failed;
  } finally {
    connection.close();
  }
}

function describe({ mode, markets, actions, perDay, maxTaskTok }: Policy): string[] {
  return [
    `The policy is good. Mode ${mode}; markets: ${markets.join(', ') || 'none'}.`,
    `Actions: ${Object.keys(actions).join(', ') || 'none'}.`,
    `At most ${formatTok(perDay.tok)} TOK and ${formatUsdc(perDay.usdc)} USDC in 24 hours, tasks up to ${formatTok(maxTaskTok)} TOK.`,
  ];
}

function describeSpending({ action, market, source, counterparty, tok, usdc }: Spending): string {
  const place = market === null ? '' : ` on ${market}`;
  const whom = counterparty === null ? '' : `, with ${counterparty}`;
  const how = {
    paid: 'spends',
    agreed: 'agrees to pay',
    payout: 'pays out of escrow',
    allowance: 'allows',
  }[source];
  return `${action}${place} ${how} ${formatTok(tok)} TOK and ${formatUsdc(usdc)} USDC${whom}.`;
}

type Given = Values<typeof usage.options>;

function showSpent({ wallet, json }: Given): number {
  const ledger = openLedger(readConfig());
  const wallets = wallet === undefined ? ledger.listWallets() : [wallet];
  const sums = wallets.map((address) => {
    const entries = ledger.loadSpent(address);
    const { tok, usdc } = sumUp(entries.flatMap(({ spendings }) => spendings));
    return { wallet: address, tok: formatTok(tok), usdc: formatUsdc(usdc), requests: entries.length };
  });
  const lines = sums.map(
    ({ wallet: address, tok, usdc, requests }) =>
      `${address}: ${tok} TOK and ${usdc} USDC in the last 24 hours, ${requests} requests.`,
  );
  return report(json, { spent: sums }, lines.length === 0 ? ['Nothing was spent.'] : lines);
}

function showLog({ limit, json }: Given): number {
  for (const entry of openLedger(readConfig()).list(limit)) {
    const { at, kind, wallet, requestId, action, spendings, reasons } = entry;
    const costly = spendings.filter(({ tok, usdc }) => tok > 0n || usdc > 0n);
    const parts = [...costly.map(describeSpending), ...reasons];
    const line = `${new Date(at).toISOString()} ${kind} ${action} ${requestId} of ${wallet}`;
    console.log(json ? stringifyJson(entry) : [line, ...parts.map((part) => `  ${part}`)].join('\n'));
  }
  return exitCodes.ok;
}

function report(json: boolean, data: Readonly<Record<string, unknown>>, lines: readonly string[]): number {
  console.log(json ? stringifyJson(data) : lines.join('\n'));
  return exitCodes.ok;
}
