// The pages that every page leads to, in order.

export const navigation = [
  ['/market.html', 'Market'],
  ['/leaderboard.html', 'Leaderboard'],
  ['/treasury-dashboard.html', 'Treasury'],
  ['/docs', 'Guides'],
] as const;
