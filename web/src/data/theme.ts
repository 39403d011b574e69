// The colour theme: light, dark or the system's, saved in this browser.
import type { Theme } from '@svc/sdk/internal/schemas/pageFrame';

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
