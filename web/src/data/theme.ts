// The colour theme: light, dark or the system's, saved in this browser.

export const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const;
export type Theme = keyof typeof nextTheme;

export const themeIcons: Readonly<Record<Theme, string>> = { system: '◐', light: '○', dark: '●' };

export const describeTheme = (theme: Theme) => `Theme: ${theme}. Change to ${nextTheme[theme]}.`;

export function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function saveTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem('svc-theme');
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem('svc-theme', theme);
    document.documentElement.dataset.theme = theme;
  }
}
