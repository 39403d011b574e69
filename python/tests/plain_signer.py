"""A signer for tests, written out with the standard library: secp256k1, Keccak-256, RLP and EIP-712. Slow, and not safe against
side channels: never use it with real money."""

import hashlib
import hmac

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def keccak(data):
    state = [0] * 25
    rate = 136
    padded = bytearray(data) + b"\x01" + b"\x00" * (rate - 1 - len(data) % rate)
    padded[-1] |= 0x80
    for start in range(0, len(padded), rate):
        for at in range(rate // 8):
            state[at] ^= int.from_bytes(padded[start + 8 * at : start + 8 * at + 8], "little")
        _permute(state)
    return b"".join(lane.to_bytes(8, "little") for lane in state[:4])


def _permute(state):
    mask = 2**64 - 1
    turn = lambda lane, by: ((lane << by) | (lane >> (64 - by))) & mask if by else lane
    register = 1
    for _ in range(24):
        columns = [state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20] for x in range(5)]
        for x in range(5):
            change = columns[(x + 4) % 5] ^ turn(columns[(x + 1) % 5], 1)
            for y in range(0, 25, 5):
                state[x + y] ^= change
        x, y, lane = 1, 0, state[1]
        for step in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            lane, state[x + 5 * y] = state[x + 5 * y], turn(lane, (step + 1) * (step + 2) // 2 % 64)
        for y in range(0, 25, 5):
            row = state[y : y + 5]
            for x in range(5):
                state[x + y] = row[x] ^ (~row[(x + 1) % 5] & mask & row[(x + 2) % 5])
        for bit in range(7):
            register = ((register << 1) ^ ((register >> 7) * 0x71)) % 256
            if register & 2:
                state[0] ^= 1 << ((1 << bit) - 1)


def _add(one, two):
    if one is None or two is None:
        return one or two
    if one[0] == two[0] and (one[1] + two[1]) % P == 0:
        return None
    if one == two:
        slope = 3 * one[0] * one[0] * pow(2 * one[1], -1, P)
    else:
        slope = (two[1] - one[1]) * pow(two[0] - one[0], -1, P)
    x = (slope * slope - one[0] - two[0]) % P
    return (x, (slope * (one[0] - x) - one[1]) % P)


def _multiply(scalar, point=G):
    result = None
    while scalar:
        if scalar & 1:
            result = _add(result, point)
        point = _add(point, point)
        scalar >>= 1
    return result


def rlp(value):
    if isinstance(value, list):
        return _with_length(b"".join(map(rlp, value)), 0xC0)
    if isinstance(value, int):
        value = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return value if len(value) == 1 and value[0] < 0x80 else _with_length(value, 0x80)


def _with_length(data, offset):
    if len(data) < 56:
        return bytes([offset + len(data)]) + data
    size = len(data).to_bytes((len(data).bit_length() + 7) // 8, "big")
    return bytes([offset + 55 + len(size)]) + size + data


def _hash_struct(name, types, message):
    fields = types[name]
    listed = ",".join(f"{field['type']} {field['name']}" for field in fields)
    parts = [keccak(f"{name}({listed})".encode())]
    for field in fields:
        value, kind = message[field["name"]], field["type"]
        if kind == "string":
            parts.append(keccak(value.encode()))
        elif kind in ("address", "bytes32"):
            parts.append(int(value, 16).to_bytes(32, "big"))
        else:
            parts.append(int(value).to_bytes(32, "big"))
    return keccak(b"".join(parts))


class PlainSigner:
    def __init__(self, key):
        self._key = int(key, 16)
        x, y = _multiply(self._key)
        lower = keccak(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex()
        marks = keccak(lower.encode()).hex()
        self.address = "0x" + "".join(c.upper() if int(m, 16) > 7 else c for c, m in zip(lower, marks))

    def sign_transaction(self, fields):
        number = lambda text: bytes.fromhex(text.removeprefix("0x"))
        order = ["chainId", "nonce", "maxPriorityFeePerGas", "maxFeePerGas", "gas"]
        body = [fields[name] for name in order] + [number(fields["to"]), fields["value"], number(fields["data"]), []]
        r, s, parity = self._sign(keccak(b"\x02" + rlp(body)))
        return b"\x02" + rlp(body + [parity, r, s])

    def sign_typed_data(self, domain, types, message):
        kinds = {"name": "string", "version": "string", "chainId": "uint256"}
        known = {"EIP712Domain": [{"name": name, "type": kinds[name]} for name in domain], **types}
        separator = _hash_struct("EIP712Domain", known, domain)
        (primary,) = types
        r, s, parity = self._sign(keccak(b"\x19\x01" + separator + _hash_struct(primary, known, message)))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([27 + parity])

    def _sign(self, digest):
        z = int.from_bytes(digest, "big")
        seed = self._key.to_bytes(32, "big") + digest
        for attempt in range(256):
            k = int.from_bytes(hmac.new(seed, bytes([attempt]), hashlib.sha256).digest(), "big") % N
            x, y = _multiply(k)
            r = x % N
            s = pow(k, -1, N) * (z + r * self._key) % N
            if k and r and s and x < N:
                return (r, N - s, 1 - y % 2) if s > N // 2 else (r, s, y % 2)
        raise RuntimeError("no signature")
