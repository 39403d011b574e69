// The funded accounts of the embedded chain, from the mnemonic that every development chain uses.
//
// The seeded market, the list that `svc start` prints and the tests use these names.
import { pbkdf2Sync } from 'node:crypto';
import { bytesToHex, type Hex } from 'viem';
import { HDKey, privateKeyToAddress } from 'viem/accounts';

/** Public knowledge: real money sent to one of these accounts is stolen within seconds. */
export const mnemonic = 'test test test test test test test test test test test junk';

const parts = {
  operator: 'deploys and owns the contracts, holds the rest of the TOK supply',
  treasury: 'receives a fifth of the fees and the plans paid in USDC',
  fallback: 'decides disputes that nobody else decided',
  publisher: 'publishes the TOK price',
  press: 'posts tasks: a publishing house',
  lab: 'posts tasks: a research group',
  studio: 'posts tasks: a games studio',
  shop: 'posts tasks: an online shop',
  archive: 'posts tasks: a town archive',
  linguist: 'works: translations and editing, trusted',
  coder: 'works: code and audits, trusted',
  analyst: 'works: data',
  painter: 'works: pictures and sound',
  scribe: 'works: transcripts and notes, mixed record',
  drifter: 'works: claims much, delivers nothing; paused on standard',
  umpire: 'arbitrates, and stakes',
  referee: 'arbitrates',
  assessor: 'arbitrates; missed two cases and lost bond for it',
  newcomer: 'has money and no history: yours to play with',
  visitor: 'has money and no history: yours to play with',
  keeper: 'calls the exits of tasks whose time is over',
} as const;

export type AccountName = keyof typeof parts;
export type Account = {
  readonly name: AccountName;
  readonly part: string;
  readonly address: Hex;
  readonly privateKey: Hex;
};

export const accounts: readonly Account[] = deriveAccounts();

const byName = new Map(accounts.map((account) => [account.name, account]));

export function accountOf(name: AccountName): Account {
  return byName.get(name) as Account;
}

function deriveAccounts(): Account[] {
  // BIP-39 with the native function: viem's JavaScript version takes 0.1 s.
  const seed = pbkdf2Sync(mnemonic, 'mnemonic', 2_048, 64, 'sha512');
  const branch = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0");
  return Object.entries(parts).map(([name, part], index) => {
    const privateKey = bytesToHex(branch.deriveChild(index).privateKey as Uint8Array);
    return { name: name as AccountName, part, address: privateKeyToAddress(privateKey), privateKey };
  });
}
