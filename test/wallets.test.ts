// Wallets behind svc prepare: the gateway's requests, a key, a wallet tool server, and nobody.
import './wallets/connecting.ts';
import './wallets/local.ts';
import './wallets/key.ts';
import './wallets/restarts.ts';
import './wallets/toolServer.ts';
import './wallets/policy.ts';
import './wallets/renewal.ts';
