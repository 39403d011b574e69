// The entry of market.html.
import { mount } from './mount.tsx';
import { MarketPage } from './pages/MarketPage.tsx';

mount(<MarketPage />);
