// The draft of a post, kept in this browser: it survives a reload and a closed tab until the task is posted.
import { type Artifact, artifactSchema } from '@svc/sdk/schemas';
import * as z from 'zod';
import { readText, saveText } from '#data/savedText.ts';
import { type Draft, draftSchema, emptyDraft } from './draft.ts';

const name = 'post';

/** With the files that were uploaded for it. */
const savedSchema = z.object({ draft: draftSchema, artifacts: z.array(artifactSchema).max(100) });

export type SavedDraft = { draft: Draft; artifacts: readonly Artifact[] };

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
