// The shape of the seeded task texts, and how they are written across several lines.
import type { TaskDocument } from '@svc/sdk/domain';

export type Texts = Readonly<Record<string, TaskDocument>>;

/** One paragraph: line breaks and indentation in the source mean a space. */
export function prose(parts: TemplateStringsArray): string {
  return parts.join('').replace(/\s+/g, ' ').trim();
}
