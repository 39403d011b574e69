// The anchor of a heading, spelled as GitHub spells it, so that one link works in both places.

/** Takes the heading as it is written, marks included. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
