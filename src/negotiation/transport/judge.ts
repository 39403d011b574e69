// Judges the texts of one reading. A chain that is found to be away is not asked again for each of them.
import { type Arrival, checkArrival } from '../arrival.ts';
import { type VerifyDigest, verifyPlainAccount } from '../signature.ts';

/** What `verify` threw: it could not tell. */
export type Trouble = { readonly trouble: unknown };

export type Judge = (text: string, now: Date) => Promise<Arrival | Trouble>;

/** Anybody can send what only a chain can judge: it must not hide what a key alone proves. */
export function createJudge(verify: VerifyDigest): Judge {
  let away: Trouble | null = null;
  const ask: VerifyDigest = async (...question) => {
    if (away === null) return verify(...question);
    if (await verifyPlainAccount(...question)) return true;
    throw away.trouble;
  };
  return async (text, now) => {
    try {
      return await checkArrival(text, now, ask);
    } catch (trouble) {
      away = { trouble };
      return away;
    }
  };
}
