// Sets the chosen theme before anything is painted; without a choice the system decides.
const theme = localStorage.getItem('svc-theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
