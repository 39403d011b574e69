// The file in the data folder that keeps what hosted wallet tool servers have granted; several processes share it.
import type { GrantStore } from '#wallet/grants.ts';
import { renewalPatienceMs } from '#wallet/renewal.ts';
import { inTurn } from '#wallet/turn.ts';
import { ownerOnly, readFile, replaceFile } from './durableFile.ts';

export function createGrantFile(path: string): GrantStore {
  // Longer than anybody may take to renew one.
  const patienceMs = renewalPatienceMs * 1.5;
  const turn = { path: `${path}.turn`, patienceMs, occupation: 'renewing its permission' };
  return {
    load: () => readFile(path),
    save: (text) => replaceFile(path, text, ownerOnly),
    inTurn: (work) => inTurn(turn, work),
  };
}
