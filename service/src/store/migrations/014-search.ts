// Filters and full-text search of task lists. Rows from before have neither the new columns nor words: the follower adds
// them in the background (upkeep.ts), and until `indexed` names the shown generation only lists without filters answer.
import type { Migration } from '../migration.ts';

export const search: Migration = {
  id: 14,
  name: 'search',
  statements: [
    // An amount as text that sorts like the number (totalKey in taskRow.ts).
    `ALTER TABLE tasks ADD COLUMN total_key TEXT NOT NULL DEFAULT ''`,
    'ALTER TABLE tasks ADD COLUMN fully_funded BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE chain ADD COLUMN indexed TEXT',
    // One for each order. They hold all that filters look at, so that no row is read that does not match.
    `CREATE INDEX tasks_by_number ON tasks (generation, market, number, state, total_key, deadline, fully_funded)
      WHERE scope = 'open'`,
    `CREATE INDEX tasks_by_total ON tasks (generation, market, total_key, number, state, deadline, fully_funded)
      WHERE scope = 'open'`,
    `CREATE INDEX tasks_by_deadline ON tasks (generation, market, deadline, number, state, total_key, fully_funded)
      WHERE scope = 'open'`,
    `CREATE INDEX tasks_open_by_total ON tasks (generation, market, total_key, number, deadline, fully_funded)
      WHERE state = 'POSTED' AND scope = 'open'`,
    'CREATE INDEX changes_block ON changes (market, block_number, task_number)',
  ],
  dialects: {
    // The rowid is made of generation, market and number (taskWords.ts). The words are in one spelling already, so every
    // byte above ASCII counts as a letter.
    sqlite: [
      `CREATE VIRTUAL TABLE task_words USING fts5(words, content='', contentless_delete=1, detail=none,
        tokenize='ascii')`,
    ],
    postgres: [
      `CREATE TABLE task_words (
        generation BIGINT NOT NULL,
        market TEXT NOT NULL,
        number BIGINT NOT NULL,
        words TEXT NOT NULL,
        lexemes TSVECTOR GENERATED ALWAYS AS (array_to_tsvector(string_to_array(words, ' '))) STORED,
        PRIMARY KEY (generation, market, number)
      )`,
      'CREATE INDEX task_words_lexemes ON task_words USING gin (lexemes)',
    ],
  },
};
