// Posts a JSON body with the stock x402 client of version 1, which pays when it is asked to; prints what came back.
import { privateKeyToAccount } from 'viem/accounts';
import { decodeXPaymentResponse, wrapFetchWithPayment } from 'x402-fetch';

const [url, key, body] = process.argv.slice(2);
const pay = wrapFetchWithPayment(fetch, privateKeyToAccount(key));
const response = await pay(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
const header = response.headers.get('x-payment-response');
console.log(
  JSON.stringify({
    status: response.status,
    body: await response.json(),
    payment: header && decodeXPaymentResponse(header),
  }),
);
