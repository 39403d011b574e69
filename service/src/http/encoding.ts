// Which compression a client takes.

export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/** Clients send one of a few spellings, again and again; a stranger's spellings must not fill the memory. */
const maxKnown = 100;
const known = new Map<string, Encoding>();

/** What Accept-Encoding wants most; among equals the one that makes the shortest body. */
export function chooseEncoding(accepted: string): Encoding {
  const before = known.get(accepted);
  if (before !== undefined) return before;
  const weights = parseWeights(accepted);
  // What is not named counts as unwanted, except the plain body, which is better than none.
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? 0.0001 : 0);
  const best = encodings.reduce((left, right) => (weightOf(right) > weightOf(left) ? right : left));
  const choice = weightOf(best) > 0 ? best : 'identity';
  if (known.size < maxKnown) known.set(accepted, choice);
  return choice;
}

function parseWeights(accepted: string): Map<string, number> {
  return new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
      return [name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
    }),
  );
}
