// Checks of relay and files: nothing accepted is lost, nothing comes twice to a reader that follows its cursor, and each file
// reads back with its hash.
import { hash } from 'node:crypto';
import type { Ask } from '../asking.ts';
import type { Journal, Letter } from '../journal.ts';
import { follow, readPage } from '../moves/mailing.ts';
import type { Setup } from '../setup.ts';
import type { World } from '../world.ts';
import type { Check } from './recorded.ts';

export type ReadMailbox = {
  readonly name: string;
  /** What its reader took in during the run, page by page from its cursor. */
  readonly followed: readonly Letter[];
  /** Everything, read once from the start at the other gateway. */
  readonly all: readonly Letter[];
};

/** Reads the rest of each mailbox at one gateway, and all of it at another. */
export async function collectMail(world: World): Promise<ReadMailbox[]> {
  const [first, second] = world.setup.gateways as [Setup['keeper'], Setup['keeper']];
  const found: ReadMailbox[] = [];
  for (const [name, box] of world.journal.mailboxes) {
    await follow(world, box, first);
    const all: Letter[] = [];
    for (let after = 0; ; ) {
      const page = await readPage(world, box, second, after);
      if (typeof page === 'number' || page.letters.length === 0) break;
      all.push(...page.letters);
      after = page.nextAfter;
    }
    found.push({ name, followed: box.letters, all });
  }
  return found;
}

export function checkMail({ mailed }: Pick<Journal, 'mailed'>, boxes: readonly ReadMailbox[]): Check {
  const violations: string[] = [];
  const byName = new Map(boxes.map((box) => [box.name, box]));
  for (const { name, followed, all } of boxes) {
    const [theirs, ours] = [followed, all].map((letters) =>
      JSON.stringify(letters.map(({ hash: of }) => of)),
    );
    if (theirs !== ours)
      violations.push(`${name} took in ${followed.length} messages, and has ${all.length}`);
    for (const [of, same] of Map.groupBy(followed, (letter) => letter.hash))
      if (same.length > 1) violations.push(`${of} came ${same.length} times to ${name}`);
    for (const [id, talk] of Map.groupBy(all, ({ negotiationId }) => negotiationId))
      if (!isChain(talk)) violations.push(`${id} is no chain in the mailbox of ${name}`);
  }
  for (const { hash: of, by, to } of new Map(mailed.map((one) => [one.hash, one])).values())
    for (const name of [by, to]) {
      const box = byName.get(name);
      // A trader that never opened its mailbox reads nothing.
      if (box !== undefined && !box.all.some((letter) => letter.hash === of))
        violations.push(`${of} was accepted, and ${name} does not have it`);
    }
  const { length } = boxes.flatMap(({ all }) => all);
  return {
    name: 'No message of the relay is lost, doubled or out of order',
    violations,
    basis: `${mailed.length} messages accepted, ${length} in ${boxes.length} mailboxes`,
  };
}

function isChain(letters: readonly Letter[]): boolean {
  return letters.every(({ sequence, previousHash }, at) => {
    const before = letters[at - 1];
    return sequence === at + 1 && (before === undefined || previousHash === before.hash);
  });
}

export async function checkFiles({ gateways }: Setup, ask: Ask, journal: Journal): Promise<Check> {
  const violations = [...journal.wrongFiles];
  for (const [at, sha256] of [...journal.files].entries()) {
    const gateway = gateways[at % gateways.length] as (typeof gateways)[number];
    const { status, bytes } = await ask(gateway, `/v1/files/${sha256}`);
    if (status !== 200) violations.push(`${sha256}: ${status}`);
    else if (hash('sha256', bytes) !== sha256) violations.push(`${sha256}: other bytes`);
  }
  return {
    name: 'Every accepted file reads back with its hash',
    violations,
    basis: `${journal.files.size} files accepted`,
  };
}
