// A market with a history: must be imported before the tests that need it.
import { setScene } from './scene.ts';

setScene(true);
