// Light, dark, or as the system has it; remembered in this browser.
import { useState } from 'react';

const next = { system: 'light', light: 'dark', dark: 'system' } as const;
type Theme = keyof typeof next;

const signs: Readonly<Record<Theme, string>> = { system: '◐', light: '○', dark: '●' };

export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() => readTheme());
  const change = () => {
    const chosen = next[theme];
    setTheme(chosen);
    if (chosen === 'system') {
      localStorage.removeItem('svc-theme');
      delete document.documentElement.dataset.theme;
    } else {
      localStorage.setItem('svc-theme', chosen);
      document.documentElement.dataset.theme = chosen;
    }
  };
  const label = `Theme: ${theme}. Change to ${next[theme]}.`;
  return (
    <button
      type="button"
      className="button"
      data-is="plain"
      onClick={change}
      title={label}
      aria-label={label}
    >
      <span aria-hidden="true">{signs[theme]}</span>
    </button>
  );
}

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}
