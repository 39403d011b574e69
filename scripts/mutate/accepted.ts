// Mutants that no test can kill because they change nothing that anyone can see, each with the reason.
import type { Mutant } from './mutants.ts';

export type Accepted = Pick<Mutant, 'contract' | 'where' | 'text'> & { readonly reason: string };

const accepted: readonly Accepted[] = [
  {
    contract: 'TaskBook',
    where: '_relistOrCancel',
    text: 'task.agreedDeadline = 0',
    reason:
      'nothing reads it while the task has no worker, and a claim writes it anew; zeroing the slot saves gas',
  },
];

export function reasonToAccept({ contract, where, text }: Mutant): string | undefined {
  return accepted.find((one) => one.contract === contract && one.where === where && one.text === text)
    ?.reason;
}
