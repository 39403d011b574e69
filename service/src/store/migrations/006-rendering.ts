// Seals on renderings: by which version a task's texts were rendered. Rows from before have none, so readers render them
// from their facts until the follower has rendered them again.
import type { Migration } from '../migration.ts';

export const rendering: Migration = {
  id: 6,
  name: 'rendering',
  statements: [
    `ALTER TABLE tasks ADD COLUMN rendering TEXT NOT NULL DEFAULT ''`,
    'ALTER TABLE chain ADD COLUMN rendering TEXT',
  ],
};
