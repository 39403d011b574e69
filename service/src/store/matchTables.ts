// Profiles and listings of wallets, and the words by which both are found.

export const matchTables: readonly string[] = [
  // A withdrawn profile has a version and nothing else. named_at is since when the wallet has a name with this skeleton.
  `CREATE TABLE profiles (
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
      PRIMARY KEY (account)
    )`,
  'CREATE INDEX profiles_skeleton ON profiles (skeleton, named_at, account) WHERE skeleton IS NOT NULL',
  // A listing is live while it has a document, has not ended, no task came out of it, and its poster holds entry collateral.
  // A closed one has no document.
  `CREATE TABLE listings (
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
      PRIMARY KEY (id)
    )`,
  'CREATE INDEX listings_poster ON listings (poster)',
  'CREATE INDEX listings_live ON listings (is_live, expires_at)',
  // Who has proposed, and the digests of all offers about a listing: a task with one of them came out of it.
  `CREATE TABLE listing_proposers (
      id TEXT NOT NULL, wallet TEXT NOT NULL, PRIMARY KEY (id, wallet)
    )`,
  'CREATE INDEX listing_proposers_wallet ON listing_proposers (wallet)',
  `CREATE TABLE listing_offers (
      digest TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (digest)
    )`,
  'CREATE INDEX listing_offers_listing ON listing_offers (id)',
  // subject is a wallet or the id of a listing. Every subject also stands under the empty word. An index for each word
  // in the order of lists, so that a page costs the same among a hundred and among a million.
  `CREATE TABLE match_words (
      kind TEXT NOT NULL,
      word TEXT NOT NULL,
      subject TEXT NOT NULL,
      rank BIGINT NOT NULL,
      at BIGINT NOT NULL,
      PRIMARY KEY (kind, word, subject)
    )`,
  'CREATE INDEX match_words_order ON match_words (kind, word, rank DESC, at DESC, subject)',
  'CREATE INDEX match_words_subject ON match_words (kind, subject)',
];
