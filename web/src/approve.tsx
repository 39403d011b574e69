// The entry of approve.html.
import { mount } from './mount.tsx';
import { ApprovePage } from './pages/ApprovePage.tsx';

mount(<ApprovePage />);
