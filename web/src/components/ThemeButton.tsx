// The switch between light, dark and the system's choice.
import { useState } from 'react';
import { describeTheme, nextTheme, readTheme, saveTheme, type Theme, themeSigns } from '../data/theme.ts';

export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() => readTheme());
  const change = () => {
    const chosen = nextTheme[theme];
    setTheme(chosen);
    saveTheme(chosen);
  };
  const label = describeTheme(theme);
  return (
    <button
      type="button"
      className="button"
      data-is="plain"
      onClick={change}
      title={label}
      aria-label={label}
    >
      <span aria-hidden="true">{themeSigns[theme]}</span>
    </button>
  );
}
