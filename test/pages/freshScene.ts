// A market without a history: must be imported before the tests that need it.
import { setScene } from './scene.ts';

setScene(false);
