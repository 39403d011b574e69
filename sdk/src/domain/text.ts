// Makes texts of unknown senders safe to show inside our own messages.

const maxShownLength = 200;

/** Removes control characters, which could control a terminal or change the reading direction. */
export function toPlain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/**
 * The known name that was meant by an unknown one: with one letter wrong, missing or swapped, or with a part too much or missing, such
 * as `criteria` for `criteriaText`.
 */
export function findNear(name: string, known: readonly string[]): string | undefined {
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wrong = bare(name);
  const isPart = (one: string, other: string) => one.length >= 4 && other.includes(one);
  return (
    known.find((one) => isTypo(wrong, bare(one))) ??
    known.find((one) => isPart(wrong, bare(one)) || isPart(bare(one), wrong))
  );
}

/** Whether two names are equal after at most one letter of each is left out. */
function isTypo(one: string, other: string): boolean {
  const shorten = (name: string) => [
    name,
    ...Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1)),
  ];
  return one.length > 2 && shorten(one).some((text) => shorten(other).includes(text));
}

/** Also shortens long text. */
export function toShown(text: string): string {
  const plain = toPlain(text);
  return plain.length <= maxShownLength ? plain : `${plain.slice(0, maxShownLength)}…`;
}
