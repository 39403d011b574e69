// `npm run contracts:next:powers`: writes powers.md, every call of the next contracts that not everybody may make, from their ABIs and sources, and
// what each deployment fixes, from the arguments of the constructors. Fails on a caller that it does not know.
//
// --check   writes nothing; fails when the page is another one
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AbiFunction, AbiParameter } from 'viem';
import { formatTable } from '../../bench/figure.ts';
import { artifact } from './test/model/chain.ts';

/** What a contract asks of its caller, and who that is. Parties of a task or a case have no power over others. */
const people: Readonly<Record<string, string>> = {
  onlyOwner: 'owner',
  'msg.sender == Ownable(address(policy)).owner()': 'owner of the pricing policy',
  'msg.sender == scheduledFallback': 'the one whom the owner named',
  'isPublisher[msg.sender]': 'publisher',
  '_checkRuling(dispute)':
    'the judge of the case: the arbitrator that both parties named, or the fallback of the day of the claim',
};
const contracts: Readonly<Record<string, string>> = {
  onlyRegistry: 'registry',
  onlyPaymentGateway: 'payment gateway',
  'msg.sender == registry': 'registry',
  'msg.sender == address(registry)': 'registry',
  'msg.sender == address(court)': 'court',
  'msg.sender == escrow || msg.sender == court || msg.sender == address(staking)':
    'escrow, court and staking',
};
const parties = [
  ...['onlyPoster(taskId)', 'onlyWorker(taskId)', '_checkParty(dispute)', 'msg.sender == dispute.worker'],
  ...['msg.sender == terms.poster', 'msg.sender != task.poster'],
];
/** Of the library's ownership in two steps. */
const inherited: Readonly<Record<string, readonly [who: string, what: string]>> = {
  transferOwnership: ['owner', 'Names the next owner, who must accept.'],
  acceptOwnership: ['the next owner', 'Becomes the owner.'],
  renounceOwnership: ['owner', 'Gives up all calls of this owner, for ever.'],
};

const folder = join(import.meta.dirname, 'src');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const files = globSync('*.sol', { cwd: folder }).sort();
const names = files.map((file) => basename(file, '.sol'));
/** The contract's own text with those of the base contracts beside it. */
const textOf = (name: string): string =>
  read(`${name}.sol`) +
  names
    .filter((base) => new RegExp(`contract ${name} is [^{]*\\b${base}\\b`).test(read(`${name}.sol`)))
    .map(textOf)
    .join('');
const interfaces = globSync('interfaces/*.sol', { cwd: folder }).map(read).join('');

const deployed = names.filter((name) => /^contract /m.test(read(`${name}.sol`)));
const rows = deployed.flatMap((name) => {
  const { abi } = artifact(`src/${name}.sol`);
  const calls = abi.filter(
    (entry): entry is AbiFunction => entry.type === 'function' && entry.stateMutability === 'nonpayable',
  );
  return calls.flatMap((call) => rowsOf(name, call));
});
const fixed = deployed.flatMap((name) => {
  const { abi } = artifact(`src/${name}.sol`);
  const inputs = abi.find(({ type }) => type === 'constructor') as
    | { inputs?: readonly AbiParameter[] }
    | undefined;
  return (inputs?.inputs ?? []).flatMap((input) => argumentsOf(name, input));
});
const head = ['contract', 'call', 'who', 'what it does'];
const text = [
  '# Powers over the next contracts',
  '',
  'Written by `npm run contracts:next:powers`. Every other call is for the parties of a task or a case, or for anybody.',
  '',
  '## People',
  '',
  formatTable(
    head,
    rows.filter(({ kind }) => kind === 'people').map(({ cells }) => cells),
  ),
  '',
  '## Contracts',
  '',
  'Of the same market, whatever key a wallet holds.',
  '',
  formatTable(
    head,
    rows.filter(({ kind }) => kind === 'contracts').map(({ cells }) => cells),
  ),
  '',
  '## What a deployment fixes',
  '',
  'Nobody can change an argument of a constructor, but for the owners, who hand their contract on, and for what a call above names. The oracle reads two feeds: on the price',
  'depend plans that are paid in TOK, on the sequencer’s rounds every clock, by a week and an hour at most.',
  '',
  formatTable(['contract', 'argument', 'type'], fixed),
  '',
].join('\n');

const page = join(import.meta.dirname, 'powers.md');
const isCheck = process.argv.includes('--check');
if (!isCheck) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
  console.error('contracts/next/powers.md is another one; run "npm run contracts:next:powers".');
  process.exitCode = 1;
}

function rowsOf(name: string, { name: call, inputs }: AbiFunction) {
  const signature = `${call}(${inputs.map(({ type }) => type).join(',')})`;
  const source = textOf(name).match(new RegExp(`function ${call}\\([^]*?\\n    }\\n`))?.[0];
  const known = inherited[call];
  if (source === undefined && known !== undefined)
    return [{ kind: 'people', cells: [name, `\`${call}\``, known[0], known[1]] }];
  // The token's own calls, and whatever else a library gives to anybody.
  if (source === undefined) return [];
  const header = source.slice(0, source.indexOf('{'));
  const asked = [
    ...(header.match(/\bonly\w+(\(\w+\))?/g) ?? []),
    ...(source.match(/_check(?:Ruling|Party)\(\w+\)/g) ?? []),
    ...[...source.matchAll(/require\(\s*([^;]*?(?:msg\.sender [!=]=|\[msg\.sender\])[^;]*?),\s*\w+\(/g)].map(
      ([, fact = '']) => fact.replace(/\s+/g, ' '),
    ),
  ];
  return asked.flatMap((fact) => {
    const who = people[fact] ?? contracts[fact];
    if (who === undefined && !parties.includes(fact))
      throw new Error(`${name}.${signature} asks for ${fact}.`);
    if (who === undefined) return [];
    const kind = fact in people ? 'people' : 'contracts';
    return [{ kind, cells: [name, `\`${call}\``, who, noticeOf(name, call)] }];
  });
}

/** The first words about a function, in its interface or where it stands. */
function noticeOf(name: string, call: string): string {
  const lines = (interfaces + textOf(name)).split('\n');
  const notices = lines.flatMap((line, at) => {
    if (!new RegExp(`^ +function ${call}\\(`).test(line)) return [];
    const above = lines.slice(0, at);
    const first = above.findLastIndex((text) => !/^ +\/\/\//.test(text)) + 1;
    const said = above
      .slice(first)
      .join(' ')
      .replace(/ +\/\/\/ ?/g, ' ')
      .match(/@notice (.*?)(?: @|$)/)?.[1];
    return said === undefined ? [] : [said.trim()];
  });
  const what = (notices[0] ?? '').replace(/^[^:]*\bonly(?:, once)?: /, '');
  return what.charAt(0).toUpperCase() + what.slice(1);
}

function argumentsOf(name: string, input: AbiParameter): string[][] {
  const parts = 'components' in input ? input.components : undefined;
  if (input.name === 'wiring') return [[name, 'wiring', 'the addresses of the market']];
  return parts === undefined
    ? [
        [
          name,
          `\`${input.name?.replace(/_$/, '')}\``,
          input.internalType?.replace(/^contract /, '') ?? input.type,
        ],
      ]
    : parts.flatMap((part) => argumentsOf(name, part));
}
