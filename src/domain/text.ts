// Texts of strangers, made fit to be shown in one of our own sentences.

const maxShownLength = 200;

/** Without control characters, which could steer a terminal, and cut where nobody would read on. */
export function toShown(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return plain.length <= maxShownLength ? plain : `${plain.slice(0, maxShownLength)}…`;
}
