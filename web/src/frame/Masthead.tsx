// The bar of every page: brand, the five entries, theme and wallet. The build writes it into the documents and the guides.
import { BookOpen, Inbox, LayoutList, MessageSquare, SunMoon, Users } from 'lucide-react';
import type { ReactNode } from 'react';

/** What an entry leads to; screens that are no entry belong to one. */
const entries = [
  { href: '/market.html', name: 'Tasks', Icon: LayoutList },
  { href: '/my.html', name: 'My work', Icon: Inbox },
  { href: '/messages.html', name: 'Messages', Icon: MessageSquare },
  { href: '/leaderboard.html', name: 'People', Icon: Users, also: '/agent.html' },
  { href: '/docs', name: 'Docs', Icon: BookOpen },
] as const;

type MastheadProps = {
  /** The path of the page. */
  current: string;
  /** How many things wait behind an entry, by its address. */
  counts?: Readonly<Record<string, ReactNode>>;
  /** The wallet. */
  children?: ReactNode;
  onTheme?: () => void;
};

export function Masthead({ current, counts = {}, children, onTheme }: MastheadProps) {
  return (
    <header className="masthead">
      <div>
        <a className="brand" href="/">
          <svg viewBox="0 0 26 26" aria-hidden="true">
            <path d="M5 2h16a3 3 0 0 1 3 3v4.6a3.4 3.4 0 0 0 0 6.8V21a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3v-4.6a3.4 3.4 0 0 0 0-6.8V5a3 3 0 0 1 3-3zm13.1 7.2-6.6 6.6-3.1-3.1-1.7 1.7 4.8 4.8 8.3-8.3z" />
          </svg>
          svc
        </a>
        <nav aria-label="Pages">
          {entries.map(({ href, name, Icon, ...entry }) => {
            const isCurrent = current === href || ('also' in entry && current === entry.also);
            return (
              <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
                <Icon />
                {name}
                {counts[href]}
              </a>
            );
          })}
        </nav>
        <div className="tools">
          <button type="button" className="icon" aria-label="Light or dark" onClick={onTheme}>
            <SunMoon />
          </button>
          {children}
        </div>
      </div>
    </header>
  );
}
