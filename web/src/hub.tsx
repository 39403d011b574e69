// The entry of index.html.
import { mount } from './mount.tsx';
import { HubPage } from './pages/HubPage.tsx';

mount(<HubPage />);
