// Makes texts of unknown senders safe to show inside our own messages.

const maxShownLength = 200;

/** Removes control characters, which could control a terminal or change the reading direction. */
export function toPlain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Also shortens long text. */
export function toShown(text: string): string {
  const plain = toPlain(text);
  return plain.length <= maxShownLength ? plain : `${plain.slice(0, maxShownLength)}…`;
}
