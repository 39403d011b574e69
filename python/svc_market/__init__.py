"""A client of the svc task market, with the standard library alone.

It reads the market over HTTP, lets the tools of a gateway build and try each action, and has a signer sign what they built. A signer has
`address`, `sign_transaction(fields)`, which returns the raw transaction, and `sign_typed_data(domain, types, message)`, which returns the
signature; `AccountSigner` is one over a key of eth-account.
"""

import hashlib
import http.client
import json
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request

__all__ = ["AccountSigner", "Market", "MarketError"]


class MarketError(RuntimeError):
    """A refusal. `code` is one of docs/errors.md; `fix` says what to do, in words or as a tool call."""

    def __init__(self, message, code=None, fix=None):
        super().__init__(message)
        self.code = code
        self.fix = fix


class AccountSigner:
    """Signs with a key through eth-account."""

    def __init__(self, key):
        from eth_account import Account

        self._account = Account.from_key(key)
        self.address = self._account.address

    def sign_transaction(self, fields):
        return bytes(self._account.sign_transaction(fields).raw_transaction)

    def sign_typed_data(self, domain, types, message):
        return bytes(self._account.sign_typed_data(domain, types, message).signature)


class Market:
    """A market at a gateway. Without a signer it reads and prepares."""

    def __init__(self, gateway="http://localhost:4020", signer=None, timeout=30):
        self.gateway = gateway.rstrip("/")
        self.signer = signer
        self.timeout = timeout
        self.config = self.get("/api/site-config", protocolVersion="v2")
        self._session = None

    def get(self, path, **query):
        """The JSON of a route, such as get("/api/market/open", market="micro")."""
        named = {"protocolVersion": "v2", **query} if path.startswith("/api/") else query
        return self._ask(self.gateway + path + ("?" + urllib.parse.urlencode(named) if named else ""))

    def task(self, task_id):
        return self.get("/api/market/task", id=task_id)["task"]

    def tool(self, name, **arguments):
        """The answer of a tool of the gateway (docs/agents.md). Raises MarketError with the fix that the tool names."""
        call = {"name": name, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        answer = self._ask(self.gateway + "/mcp", body, Accept="application/json, text/event-stream")
        if "error" in answer:
            raise MarketError(answer["error"]["message"])
        result = answer["result"]
        content = result.get("structuredContent") or {}
        if result.get("isError"):
            texts = [part.get("text", "") for part in result.get("content", [])]
            raise MarketError(" ".join(texts), content.get("code"), content.get("fix"))
        return content

    def prepare(self, action, **arguments):
        """Builds and tries an action of docs/agents.md, such as prepare("claim-task", taskId="v2:micro:3"). Sends nothing."""
        if self.signer is not None:
            arguments.setdefault("from", self.signer.address)
        return self.tool("svc_prepare", action=action, arguments=arguments, wallet="none")

    def act(self, action, **arguments):
        """Prepares an action, sends its calls one after the other, and waits until the market shows the last one."""
        prepared = self.prepare(action, **arguments)
        calls = prepared.get("calls")
        if calls is None:
            raise MarketError(f"{action} has no calls to send")
        receipts = [self._send(call) for call in calls]
        block = int(receipts[-1]["blockNumber"], 16)
        self._wait(lambda: self.get("/health")["block"] >= block or None)
        return {**prepared, "transactionHashes": [receipt["transactionHash"] for receipt in receipts]}

    def attach(self, task_id, name, content, media_type="application/octet-stream"):
        """Uploads a file for an open task, which anybody may read, and returns its entry for a document."""
        sha256 = hashlib.sha256(content).hexdigest()
        url = f"{self.gateway}/v1/files/{sha256}?for={urllib.parse.quote(task_id, safe='')}"
        kept = self._ask(url, content, "PUT", Authorization="Bearer " + self._open_session())
        entry = {"name": name, "mediaType": media_type, "bytes": len(content), "sha256": sha256}
        return {**entry, "uri": kept["uri"]}

    def _open_session(self):
        now = int(time.time())
        if self._session is None or self._session[1] < now + 60:
            message = {
                "wallet": self._need_signer().address,
                "gateway": self.gateway,
                "nonce": "0x" + secrets.token_hex(32),
                "validUntil": now + 3600,
            }
            names = {"wallet": "address", "gateway": "string", "nonce": "bytes32", "validUntil": "uint64"}
            types = {"Session": [{"name": name, "type": kind} for name, kind in names.items()]}
            domain = {"name": "svc gateway", "version": "1", "chainId": self.config["chainId"]}
            signature = "0x" + self.signer.sign_typed_data(domain, types, message).hex()
            opened = self._ask(self.gateway + "/v1/sessions", {**message, "signature": signature})
            self._session = (opened["token"], message["validUntil"])
        return self._session[0]

    def _send(self, call):
        own = self._need_signer().address
        draft = {"from": own, "to": call["to"], "data": call["data"], "value": call["value"]}
        gas = int(self._rpc("eth_estimateGas", draft), 16) * 5 // 4
        raw = self.signer.sign_transaction({
            "chainId": self.config["chainId"],
            "type": 2,
            "to": call["to"],
            "data": call["data"],
            "value": int(call["value"], 16),
            "nonce": int(self._rpc("eth_getTransactionCount", own, "pending"), 16),
            "gas": gas,
            "maxFeePerGas": 2 * int(self._rpc("eth_gasPrice"), 16),
            "maxPriorityFeePerGas": 0,
        })
        sent = self._rpc("eth_sendRawTransaction", "0x" + raw.hex())
        receipt = self._wait(lambda: self._rpc("eth_getTransactionReceipt", sent))
        if receipt["status"] != "0x1":
            raise MarketError(f"The transaction {sent} was reverted.")
        return receipt

    def _need_signer(self):
        if self.signer is None:
            raise MarketError("This needs a signer: Market(gateway, signer).")
        return self.signer

    def _rpc(self, method, *params):
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = self._ask(self.config["rpcUrl"], body)
        if "error" in answer:
            raise MarketError(answer["error"]["message"])
        return answer["result"]

    @staticmethod
    def _wait(look, seconds=120):
        end = time.monotonic() + seconds
        while (found := look()) is None:
            if time.monotonic() > end:
                raise MarketError("The chain did not answer in time.")
            time.sleep(0.25)
        return found

    def _ask(self, url, body=None, method=None, **headers):
        is_bytes = isinstance(body, bytes)
        data = body if body is None or is_bytes else json.dumps(body).encode()
        kind = "application/octet-stream" if is_bytes else "application/json"
        request = urllib.request.Request(url, data, {"Content-Type": kind, **headers}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                text = response.read().decode()
            # A tool server may answer with an event stream of one message.
            lines = [line[5:] for line in text.splitlines() if line.startswith("data:")]
            return json.loads(lines[-1] if lines and not text.lstrip().startswith("{") else text)
        except urllib.error.HTTPError as error:
            raise self._explain(error) from error
        # No connection, one that broke, or an answer that is cut off.
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise MarketError(f"{url} did not answer: {reason}", "API_UNREACHABLE") from error

    @staticmethod
    def _explain(error):
        try:
            body = json.load(error)
            return MarketError(body["error"], body.get("code"), body.get("fix"))
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
            return MarketError(f"The server answers {error.code}.")
