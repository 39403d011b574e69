// Light, dark, or as the system has it; remembered in this browser.

export const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const;
export type Theme = keyof typeof nextTheme;

export const themeSigns: Readonly<Record<Theme, string>> = { system: '◐', light: '○', dark: '●' };

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
