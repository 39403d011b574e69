// Keeps the figures in the pages about the contracts true: every time, share and amount on a page is that of a constant which the page
// is said to state, and every such constant stands there as it is in the sources. A changed constant fails every page that states it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { markets } from '#sdk/domain/market.ts';
import { marketParameters, oracleParameters, plans, protocolConstants } from '#sdk/domain/parameters.ts';
import { loadPages, root } from './docs/markdown.ts';

/** A value on each market, in seconds, percent, TOK or USDC. */
type Figure = { readonly unit: string; readonly values: readonly number[] };

/** What each page states, as `evaluate` reads it; `1000TOK` is no constant but an example. */
const pagesWithFigures: Readonly<Record<string, string>> = {
  arbitrating: `
    arbitratorMinBondTokWei DISPUTE_BPS hearingSeconds RESOLVE_WINDOW arbitratorMinBondTokWei*MISS_SLASH_BPS
    MISS_SLASH_BPS UNBOND_DELAY`,
  contracts: 'FALLBACK_DELAY',
  // Beside the figures of the contracts: the money of a visitor, and when a demo worker claims.
  'in-the-browser': `
    entryUsdc bondUsdc accessFeeTokWei minTotalTokWei minReviewSeconds maxReviewSeconds hearingSeconds
    20000TOK 200USDC 45s 86400s 259200s`,
  // Beside them: the window of a policy, and how long requests and sessions last.
  policy: 'accessFeeTokWei entryUsdc DISPUTE_BPS GRACE 86400s',
  powers: `
    ENTRY_PAUSE FALLBACK_DELAY hearingSeconds FALLBACK_WINDOW RESOLVE_WINDOW PROPOSE_WINDOW
    minIntervalSeconds maxStepBps entryUsdc launchCapTokWei launchCapTokWei*500% accessFeeTokWei*500%`,
  'decisions/court': 'FALLBACK_DELAY ANSWER_WINDOW FALLBACK_WINDOW hearingSeconds',
  'decisions/parameters': `
    bondUsdc minTotalTokWei ACTIVATION_WINDOW DELIVERY_GRACE DISMISS_NOTICE minReviewSeconds
    maxReviewSeconds MAX_DURATION ANSWER_WINDOW PROPOSE_WINDOW RESOLVE_WINDOW FALLBACK_WINDOW
    PROPOSE_WINDOW+RESOLVE_WINDOW+FALLBACK_WINDOW hearingSeconds launchCapTokWei ENTRY_PAUSE
    MAX_ACCEPTANCE DISPUTE_BPS arbitratorMinBondTokWei UNBOND_DELAY BURN_BPS STAKE_BPS
    100%-BURN_BPS-STAKE_BPS DRIP MIN_STAKE MIN_STAKE_TIME PERIOD_DAYS basicUsdc basicBps
    MAX_DISCOUNT_BPS`,
  'operations/README': `
    entryUsdc recommendedUsdc pauseUsdc bondUsdc MAX_ACCEPTANCE ACTIVATION_WINDOW
    ACTIVATION_WINDOW+ACTIVATION_WINDOW DELIVERY_GRACE DISMISS_NOTICE DISMISS_NOTICE+DISMISS_WINDOW
    DISPUTE_BPS MAX_DURATION ANSWER_WINDOW PROPOSE_WINDOW RESOLVE_WINDOW FALLBACK_WINDOW
    FALLBACK_WINDOW-ANSWER_WINDOW PROPOSE_WINDOW+RESOLVE_WINDOW+FALLBACK_WINDOW minReviewSeconds
    maxReviewSeconds hearingSeconds FALLBACK_DELAY UNBOND_DELAY ENTRY_PAUSE GRACE MIN_STAKE
    MIN_STAKE_TIME DRIP FLUSH_INTERVAL accessFeeTokWei minTotalTokWei minTotalTokWei*10% launchCapTokWei
    arbitratorMinBondTokWei MISS_SLASH_BPS BURN_BPS STAKE_BPS 100%-BURN_BPS-STAKE_BPS 2%`,
  'operations/answer-dispute': 'DISPUTE_BPS PROPOSE_WINDOW FALLBACK_WINDOW-ANSWER_WINDOW FALLBACK_WINDOW',
  'operations/calls-between-contracts': 'FLUSH_INTERVAL',
  'operations/claim-task': `
    accessFeeTokWei bondUsdc entryUsdc ACTIVATION_WINDOW ACTIVATION_WINDOW+ACTIVATION_WINDOW
    FLUSH_INTERVAL`,
  'operations/create-task': 'MAX_ACCEPTANCE accessFeeTokWei bondUsdc entryUsdc FLUSH_INTERVAL',
  'operations/dismiss-worker': `
    accessFeeTokWei pauseUsdc DISMISS_NOTICE DISMISS_WINDOW DELIVERY_GRACE FLUSH_INTERVAL`,
  'operations/emergency-top-up': 'pauseUsdc entryUsdc',
  'operations/escalate': 'PROPOSE_WINDOW RESOLVE_WINDOW FALLBACK_WINDOW MISS_SLASH_BPS',
  'operations/extend-deadline': 'MAX_DURATION',
  'operations/flush-fees': 'BURN_BPS STAKE_BPS 100%-BURN_BPS-STAKE_BPS FLUSH_INTERVAL',
  'operations/fund-task': 'ACTIVATION_WINDOW pauseUsdc',
  'operations/leave-task': 'accessFeeTokWei pauseUsdc ACTIVATION_WINDOW FLUSH_INTERVAL',
  'operations/open-dispute': 'DISPUTE_BPS FALLBACK_WINDOW ANSWER_WINDOW',
  'operations/post-task': `
    MAX_DURATION minReviewSeconds maxReviewSeconds minTotalTokWei accessFeeTokWei bondUsdc entryUsdc
    FLUSH_INTERVAL`,
  'operations/propose-arbitrator': 'PROPOSE_WINDOW RESOLVE_WINDOW',
  'operations/publish-price': 'minIntervalSeconds maxAgeSeconds maxStepBps GRACE',
  'operations/raise-max-total': 'launchCapTokWei',
  'operations/register-arbitrator':
    'arbitratorMinBondTokWei arbitratorMinBondTokWei*MISS_SLASH_BPS DISPUTE_BPS',
  'operations/resolve-dispute': 'hearingSeconds RESOLVE_WINDOW pauseUsdc 1000TOK',
  'operations/resolve-timed-out-dispute': 'ANSWER_WINDOW FALLBACK_WINDOW FALLBACK_WINDOW-ANSWER_WINDOW GRACE',
  'operations/resolve-timed-out': `
    ACTIVATION_WINDOW ACTIVATION_WINDOW+ACTIVATION_WINDOW DELIVERY_GRACE pauseUsdc GRACE`,
  'operations/revoke-terms': 'MAX_ACCEPTANCE',
  'operations/rotate-fallback': 'FALLBACK_DELAY',
  'operations/set-entries-paused': 'ENTRY_PAUSE',
  'operations/set-plan': 'MAX_DISCOUNT_BPS',
  'operations/stake': 'MIN_STAKE MIN_STAKE_TIME DRIP 259200TOK 2592000s',
  'operations/start-work': 'ACTIVATION_WINDOW ACTIVATION_WINDOW+ACTIVATION_WINDOW pauseUsdc',
  'operations/submit-evidence': 'hearingSeconds',
  'operations/submit-proof': 'DELIVERY_GRACE pauseUsdc',
  'operations/top-up': 'entryUsdc recommendedUsdc pauseUsdc',
  'operations/unbond-arbitrator': 'UNBOND_DELAY 0TOK',
  'operations/unstake': 'MIN_STAKE MIN_STAKE_TIME',
  'operations/withdraw-deposit': 'entryUsdc',
};

const words: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  seven: 7,
};
const seconds: Readonly<Record<string, number>> = {
  seconds: 1,
  minute: 60,
  hour: 3_600,
  h: 3_600,
  day: 86_400,
  d: 86_400,
  week: 604_800,
};

const constants = new Map<string, Figure>([...readSolidity(), ...readParameters()]);

for (const { path, text } of loadPages(
  'docs/operations/*.md',
  'docs/{arbitrating,contracts,in-the-browser,policy,powers}.md',
  'docs/decisions/{court,parameters}.md',
))
  test(`${path} states the figures of the contracts, and no others`, () => {
    const stated = (pagesWithFigures[path.slice('docs/'.length, -'.md'.length)] ?? '')
      .split(/\s+/)
      .filter((name) => name !== '');
    assert.deepEqual(readFigures(text), [...new Set(stated.flatMap(evaluate))].sort());
  });

test('the SDK knows the constants that no getter shows and that a deployment can therefore not compare', () => {
  const { maxAcceptanceSeconds, entryPauseSeconds, unbondedWindowSeconds, disputeBps } = protocolConstants;
  for (const [name, value] of [
    ['MAX_ACCEPTANCE', `${maxAcceptanceSeconds} s`],
    ['ENTRY_PAUSE', `${entryPauseSeconds} s`],
    ['FALLBACK_WINDOW-ANSWER_WINDOW', `${unbondedWindowSeconds} s`],
    ['DISPUTE_BPS', `${disputeBps / 100} %`],
  ] as const)
    assert.deepEqual(evaluate(name), [value, value], name);
});

/** `A+B`, `A-B`, and `A*B` for the share B of A. */
function evaluate(sum: string): string[] {
  const [first = '', ...rest] = sum.split(/(?=[+*-])/);
  const { unit, values } = find(first);
  const results = rest.reduce<readonly number[]>((left, term) => {
    const right = find(term.slice(1)).values;
    return left.map((value, index) => {
      const other = right[index] ?? Number.NaN;
      return term.startsWith('+')
        ? value + other
        : term.startsWith('-')
          ? value - other
          : (value * other) / 100;
    });
  }, values);
  return results.map((value) => `${value} ${unit}`);
}

function find(name: string): Figure {
  const [, digits, unit = ''] = /^(\d+)(%|TOK|USDC|s)$/.exec(name) ?? [];
  const figure = digits === undefined ? constants.get(name) : both(Number(digits), unit);
  assert.ok(figure !== undefined, `there is no constant ${name}`);
  return figure;
}

/** The constants of the contracts. */
function readSolidity(): [string, Figure][] {
  const sources = globSync('contracts/src/*.sol', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const found = sources
    .join('\n')
    .matchAll(/^\s*uint\d+ (?:\w+ )?constant (\w+) = ([\d_]+)(?: (day|hour)s?|(e18))?;/gm);
  return [...found].map(([, name = '', digits = '', time, isTok]) => {
    const value = Number(digits.replaceAll('_', ''));
    if (time !== undefined) return [name, both(value * (seconds[time] ?? 0), 's')];
    if (isTok !== undefined) return [name, both(value, 'TOK')];
    if (name.endsWith('_DAYS')) return [name, both(value * 86_400, 's')];
    return [name, name.endsWith('_BPS') ? both(value / 100, '%') : both(value, '')];
  });
}

/** What a deployment sets, for each market. */
function readParameters(): [string, Figure][] {
  const prices = Object.fromEntries(
    plans.flatMap(({ id, priceUsdc, tokDiscountBps }) => [
      [`${id}Usdc`, priceUsdc],
      [`${id}Bps`, tokDiscountBps],
    ]),
  );
  const [standard, micro] = markets.map(
    (market) =>
      ({ ...marketParameters[market], ...oracleParameters, ...prices }) as Record<string, bigint | number>,
  );
  const scales: readonly [RegExp, string, number][] = [
    [/TokWei$/, 'TOK', 1e18],
    [/Usdc$/, 'USDC', 1e6],
    [/Bps$/, '%', 100],
    [/Seconds$/, 's', 1],
  ];
  return Object.keys(standard ?? {}).flatMap((name): [string, Figure][] => {
    const [, unit = '', scale = 1] = scales.find(([suffix]) => suffix.test(name)) ?? [];
    return [[name, { unit, values: [standard, micro].map((of) => Number(of?.[name]) / scale) }]];
  });
}

function both(value: number, unit: string): Figure {
  return { unit, values: [value, value] };
}

/** Every figure with a unit, also in a list ("25 / 45 / 8 USDC") and of micro ("24 hours, on micro 4"). */
function readFigures(text: string): string[] {
  const number = String.raw`(?:\d[\d,]*(?:\.\d+)?|(?i:${Object.keys(words).join('|')}))`;
  const pattern = new RegExp(
    String.raw`(?<![\w.,]|posts |\d )(${number}(?:(?: / |, | and )${number})*) (%|TOK|USDC|(?:${Object.keys(seconds).join('|')})s?\b)(?:[,;]? \(?(?:on )?micro (${number})(?! ?[%\w]))?`,
    'g',
  );
  const found = [...text.replace(/\s+/g, ' ').matchAll(pattern)].flatMap(
    ([, list = '', name = '', ofMicro]) => {
      const scale = seconds[name] ?? seconds[name.replace(/s$/, '')];
      const figures = [...list.split(/ \/ |, | and /), ...(ofMicro === undefined ? [] : [ofMicro])];
      return figures.map((figure) => {
        const value = words[figure.toLowerCase()] ?? Number(figure.replaceAll(',', ''));
        return scale === undefined ? `${value} ${name}` : `${value * scale} s`;
      });
    },
  );
  return [...new Set(found)].sort();
}
