// The entry of leaderboard.html.
import { mount } from './mount.tsx';
import { LeaderboardPage } from './pages/LeaderboardPage.tsx';

mount(<LeaderboardPage />);
