// The links of every page. Apart from the schemas, so that the first script of a page does not contain those.

/** The pages that every page links to, in order. */
export const navigation = [
  ['/market.html', 'Market'],
  ['/my.html', 'My work'],
  ['/messages.html', 'Messages'],
  ['/leaderboard.html', 'Leaderboard'],
  ['/market-health.html', 'Health'],
  ['/treasury-dashboard.html', 'Treasury'],
  ['/docs', 'Guides'],
] as const;
