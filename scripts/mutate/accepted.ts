// Mutants that no test can kill because they change nothing that anyone can see, each with the reason.
import type { Mutant } from './mutants.ts';

export type Accepted = Pick<Mutant, 'contract' | 'where' | 'text'> & { readonly reason: string };

const accepted: readonly Accepted[] = [];

export function reasonToAccept({ contract, where, text }: Mutant): string | undefined {
  return accepted.find((one) => one.contract === contract && one.where === where && one.text === text)
    ?.reason;
}
