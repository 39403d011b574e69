// Runs before anything is painted: sets the chosen theme and the view that the address asks for, and sends the first
// requests of the page. Their replies arrive while its script loads; src/data/marketClient.ts takes them.
const search = new URLSearchParams(location.search);
const asked = ['task', 'post', 'request'].find((name) => search.has(name)) ?? search.get('market');
const view = ['task', 'post', 'request', 'micro'].includes(asked) ? asked : 'standard';
document.documentElement.dataset.view = view;

const requests = JSON.parse(document.currentScript.dataset.first ?? '{}');
window.early = new Map();
for (const template of requests[view] ?? requests.any ?? []) {
  const url = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(search.get(name)));
  const reply = fetch(url, { cache: 'no-cache' });
  reply.catch(() => {});
  window.early.set(location.origin + url, reply);
  // Later the page wants newer data.
  setTimeout(() => window.early.delete(location.origin + url), 15_000);
}

const theme = localStorage.getItem('svc-theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
