// HTTP servers of tests, each on any free port of this machine.
import { createServer, type RequestListener } from 'node:http';
import { listen } from './listen.ts';

export const serve = (listener: RequestListener) => listen(createServer(listener));
