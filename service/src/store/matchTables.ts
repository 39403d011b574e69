// Profiles and listings of wallets, and the words by which both are found.

export const matchTables: readonly string[] = [
  // A withdrawn profile has a version and nothing else. named_at is since when the wallet has a name with this skeleton.
  `CREATE TABLE profiles (
      identity TEXT NOT NULL,
      account TEXT NOT NULL,
      version BIGINT NOT NULL,
      document TEXT,
      document_hash TEXT,
      signature TEXT,
      name TEXT,
      skeleton TEXT,
      named_at BIGINT,
      score BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      PRIMARY KEY (identity, account)
    )`,
  'CREATE INDEX profiles_skeleton ON profiles (identity, skeleton, named_at, account) WHERE skeleton IS NOT NULL',
  // A listing is live while it has a document, has not ended, no task came out of it, and its poster holds entry collateral.
  // A closed one has no document.
  `CREATE TABLE listings (
      identity TEXT NOT NULL,
      id TEXT NOT NULL,
      market TEXT NOT NULL,
      poster TEXT NOT NULL,
      version BIGINT NOT NULL,
      document TEXT,
      document_hash TEXT,
      signature TEXT,
      expires_at BIGINT NOT NULL,
      is_live BIGINT NOT NULL,
      task_id TEXT,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      PRIMARY KEY (identity, id)
    )`,
  'CREATE INDEX listings_poster ON listings (identity, poster)',
  'CREATE INDEX listings_live ON listings (identity, is_live, expires_at)',
  // Who has proposed, and the digests of all offers about a listing: a task with one of them came out of it.
  `CREATE TABLE listing_proposers (
      identity TEXT NOT NULL, id TEXT NOT NULL, wallet TEXT NOT NULL, PRIMARY KEY (identity, id, wallet)
    )`,
  'CREATE INDEX listing_proposers_wallet ON listing_proposers (identity, wallet)',
  `CREATE TABLE listing_offers (
      identity TEXT NOT NULL, digest TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (identity, digest)
    )`,
  'CREATE INDEX listing_offers_listing ON listing_offers (identity, id)',
  // subject is a wallet or the id of a listing. Every subject also stands under the empty word. An index for each word
  // in the order of lists, so that a page costs the same among a hundred and among a million.
  `CREATE TABLE match_words (
      identity TEXT NOT NULL,
      kind TEXT NOT NULL,
      word TEXT NOT NULL,
      subject TEXT NOT NULL,
      rank BIGINT NOT NULL,
      at BIGINT NOT NULL,
      PRIMARY KEY (identity, kind, word, subject)
    )`,
  'CREATE INDEX match_words_order ON match_words (identity, kind, word, rank DESC, at DESC, subject)',
  'CREATE INDEX match_words_subject ON match_words (identity, kind, subject)',
];
