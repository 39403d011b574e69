// Texts of strangers, made fit to be shown in one of our own sentences.

const maxShownLength = 200;

/** Whole, without control characters, which could steer a terminal or turn the order of what is read. */
export function toPlain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Plain, and cut where nobody would read on. */
export function toShown(text: string): string {
  const plain = toPlain(text);
  return plain.length <= maxShownLength ? plain : `${plain.slice(0, maxShownLength)}…`;
}
