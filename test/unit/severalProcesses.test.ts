import { createNetwork } from '../support/processes';
import { describeSeveralModels } from '../support/severalModels';

describeSeveralModels('two processes on one database', async (now) => createNetwork(now));
