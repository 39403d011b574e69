// The links and colour themes of every page. Apart from the schemas, so that the first script of a page does not contain those.

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

/** The colour themes, and which one the button chooses next. */
export const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const;
export type Theme = keyof typeof nextTheme;

export const themeIcons: Readonly<Record<Theme, string>> = { system: '◐', light: '○', dark: '●' };

export const describeTheme = (theme: Theme) => `Theme: ${theme}. Change to ${nextTheme[theme]}.`;
