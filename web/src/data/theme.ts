// The colour theme: the system's, or the other one, saved in this browser. public/early.js sets it before anything is painted.

/** From light to dark and back; what the system prefers is not saved. */
export function switchTheme(): void {
  const { dataset } = document.documentElement;
  const isDarkSystem = matchMedia('(prefers-color-scheme: dark)').matches;
  const isDark = dataset.theme === undefined ? isDarkSystem : dataset.theme === 'dark';
  if (isDark === isDarkSystem) {
    dataset.theme = isDark ? 'light' : 'dark';
    localStorage.setItem('svc-theme', dataset.theme);
  } else {
    delete dataset.theme;
    localStorage.removeItem('svc-theme');
  }
}
