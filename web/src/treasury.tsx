// The entry of treasury-dashboard.html.
import { mount } from './mount.tsx';
import { TreasuryPage } from './pages/TreasuryPage.tsx';

mount(<TreasuryPage />);
