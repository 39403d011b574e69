// The draft of a post, kept in this browser: it survives a reload and a closed tab until the task is posted.
import { type Artifact, artifactSchema } from '@svc/sdk/schemas';
import * as z from 'zod';
import { readText, saveText } from '#data/savedText.ts';
import { type Draft, emptyDraft } from './draft.ts';

export type SavedDraft = {
  readonly draft: Draft;
  /** Files that were uploaded for it. */
  readonly artifacts: readonly Artifact[];
};

const name = 'post';
const text = z.string().max(50_000);

/** What an earlier version of this page kept may lack fields or have others. */
const draftSchema = z.object({
  title: text,
  description: text,
  criteria: text,
  tags: text,
  milestones: z.array(text).min(1).max(10),
  milestoneTexts: z.array(text).max(10),
  days: text,
  due: text,
  reviewHours: text,
  funding: z.enum(['now', 'later']),
});
const savedSchema = z.object({ draft: draftSchema, artifacts: z.array(artifactSchema).max(100) });

/** Null where there is none, or none that this page can read. */
export function readDraft(): SavedDraft | null {
  try {
    return savedSchema.parse(JSON.parse(readText(name)));
  } catch {
    return null;
  }
}

/** An empty one is forgotten. */
export function saveDraft(saved: SavedDraft): void {
  saveText(name, isBlank(saved) ? '' : JSON.stringify(saved));
}

export function forgetDraft(): void {
  saveText(name, '');
}

export function isBlank({ draft, artifacts }: SavedDraft): boolean {
  return artifacts.length === 0 && JSON.stringify(draft) === JSON.stringify(emptyDraft);
}
