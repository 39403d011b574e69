// Proves what moves: news of tasks, deadlines that pass, forks, restarts, a chain that goes away and comes back.
import './changes/streams.ts';
import './changes/foreignTexts.ts';
import './changes/outages.ts';
