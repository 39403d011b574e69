// The links and colour themes of the documents that the server renders.

/** The pages that every page links to, in order. */
export const navigation = [
  ['/market.html', 'Tasks'],
  ['/my.html', 'My work'],
  ['/messages.html', 'Messages'],
  ['/leaderboard.html', 'People'],
  ['/docs', 'Docs'],
] as const;

/** The colour themes, and which one the button chooses next. */
export const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const;
export type Theme = keyof typeof nextTheme;

export const themeIcons: Readonly<Record<Theme, string>> = { system: '◐', light: '○', dark: '●' };

export const describeTheme = (theme: Theme) => `Theme: ${theme}. Change to ${nextTheme[theme]}.`;
