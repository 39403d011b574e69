// Judges the texts of one reading. A chain that is found to be away is not asked again for each of them.

import { type VerifyDigest, verifyPlainAccount } from '@svc/sdk/domain';
import { type Arrival, checkArrival, refuse } from '@svc/sdk/negotiation';

/** What `verify` threw: it could not tell. */
export type Trouble = { readonly trouble: unknown };

export type Judge = (text: string, now: Date) => Promise<Arrival | Trouble>;

/**
 * Anybody can send what only a chain can judge: it must not hide what a key alone proves. Nor may a text on which the check
 * itself fails keep others back, so that is a refusal, too.
 */
export function createJudge(verify: VerifyDigest): Judge {
  let away: Trouble | null = null;
  const ask: VerifyDigest = async (...question) => {
    if (away !== null && (await verifyPlainAccount(...question))) return true;
    if (away !== null) throw away.trouble;
    return verify(...question).catch((trouble: unknown) => {
      away = { trouble };
      throw trouble;
    });
  };
  return async (text, now) => {
    try {
      return await checkArrival(text, now, ask);
    } catch (error) {
      return error === (away as Trouble | null)?.trouble ? { trouble: error } : { refusal: refuse('form') };
    }
  };
}
