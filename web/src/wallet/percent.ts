// A share that a person has typed, in hundredths of a percent.

/** Throws in words where the text is none. */
export function parsePercent(text: string | undefined): number {
  if (text === undefined || !/^(100(\.0{1,2})?|[0-9]{1,2}(\.[0-9]{1,2})?)$/.test(text))
    throw new Error('A share is a number from 0 to 100, with at most two decimal places.');
  return Math.round(Number(text) * 100);
}
