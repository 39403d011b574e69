// An offer and an agreement in words: everything that a signature covers, what changed, who pays what, and who acts next.
import { type Address, formatTok, formatUsdc, isSameAddress, marketParameters } from '@svc/sdk/domain';
import { formatMoment } from '@svc/sdk/internal/domain/amount';
import { toShown } from '@svc/sdk/internal/domain/text';
import { type Agreement, listChanges, type Offer, type OfferChange } from '@svc/sdk/negotiation';

/** All that the digest covers, so that nobody signs a word unseen. */
export function describeOffer(offer: Offer, previous: Offer | null, self: Address): string {
  const { terms, document, settlementDigest, expiresAt, hash, by, sequence } = offer;
  const name = (party: string) => (isSameAddress(party as Address, self) ? 'you' : party);
  const texts = document.milestones;
  const parts = terms.milestones.map(
    ({ amountTokWei }, index) => `${index + 1}. ${tok(amountTokWei)}${quote(texts[index] ?? '')}`,
  );
  const files = (document.artifacts ?? []).map((file) => `${toShown(file.name)} (${file.bytes} bytes)`);
  const { accessFeeTokWei, bondUsdc } = marketParameters[terms.market];
  const bond = formatUsdc(bondUsdc);
  const fees = `each party pays its own access fee of ${tok(accessFeeTokWei)} when the task is created (not returned)`;
  const rows: readonly (readonly [string, string])[] = [
    ['offered', `message ${sequence} by ${name(by)}, until ${formatMoment(expiresAt)} on the chain’s clock`],
    ['title', toShown(document.title)],
    ['work', toShown(document.description)],
    ['criteria', toShown(document.criteria)],
    ['tags', document.tags.map((tag) => toShown(tag)).join(', ')],
    ['files', files.join(', ')],
    ['pays', `${tok(terms.totalAmountTokWei)} from ${name(terms.poster)} to ${name(terms.worker)}`],
    ...parts.map((part) => ['', part] as const),
    ['due', `${formatMoment(terms.deadline)}, review within ${formatHours(terms.reviewPeriod)}`],
    ['fees', fees],
    ['', `and locks ${bond} USDC of its collateral; nothing is deducted from what the task pays`],
    [
      'place',
      `${terms.scope}, on ${terms.market}, chain ${terms.chainId}, registry ${terms.registryAddress}`,
    ],
    ['', `settlementDigest ${settlementDigest}`],
    ['', `offerHash ${hash}`],
    ...(previous === null ? [] : describeChanges(listChanges(previous, offer))),
  ];
  return rows
    .filter(([label, text]) => text !== '' || label === '')
    .map(([label, text]) => `  ${label.padEnd(8)} ${text}`)
    .join('\n');
}

function describeChanges(changes: readonly OfferChange[]): (readonly [string, string])[] {
  if (changes.length === 0) return [['changed', 'nothing since the last offer']];
  return changes.map(({ field, before, after }, index) => {
    const change = `${field}: ${show(field, before)} -> ${show(field, after)}`;
    return [index === 0 ? 'changed' : '', change];
  });
}

function show(field: string, value: unknown): string {
  if (value === null) return 'none';
  if (field === 'totalAmountTokWei') return tok(String(value));
  if (field.startsWith('milestone amount')) return tok((value as { amountTokWei: string }).amountTokWei);
  if (field === 'deadline' || field === 'acceptBy') return formatMoment(Number(value));
  if (field === 'reviewPeriod') return formatHours(Number(value));
  return toShown(typeof value === 'string' ? `"${value}"` : JSON.stringify(value));
}

/** After both have signed: who calls create-task, and with which signature. */
export function describeAgreement(
  { terms, settlementDigest, posterSignature, workerSignature }: Agreement,
  self: Address,
): string[] {
  const isPoster = isSameAddress(terms.poster, self);
  const other = isPoster ? 'worker' : 'poster';
  const signature = isPoster ? workerSignature : posterSignature;
  return [
    `  signed   both parties, settlementDigest ${settlementDigest}`,
    `  create   either party creates the task, before ${formatMoment(terms.acceptBy)}. It sends the signature of the other one;`,
    '           its own transaction is its consent. Both fees are charged then, so both need an allowance.',
    `           you: svc prepare create-task --terms @agreement.json --${other}-signature ${signature} --from ${self}`,
    '           where agreement.json holds "agreement" of svc inbox --json',
  ];
}

function tok(wei: string | bigint): string {
  return `${formatTok(BigInt(wei))} TOK`;
}

function quote(text: string): string {
  return text === '' ? '' : `: ${toShown(text)}`;
}

function formatHours(seconds: number): string {
  return `${seconds / 3_600} h`;
}
