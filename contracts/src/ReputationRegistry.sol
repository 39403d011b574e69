// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {RepKind, Reputation, Wiring} from "./Types.sol";
import {IReputationRegistry} from "./interfaces/IReputationRegistry.sol";

/// @title ReputationRegistry
/// @notice See IReputationRegistry.
contract ReputationRegistry is IReputationRegistry {
    /// @dev Eight 32-bit counters in one word, in the order of RepKind; the last one is `lastActive`.
    uint256 private constant COUNTER_BITS = 32;
    uint256 private constant LAST_ACTIVE_SHIFT = 7 * COUNTER_BITS;

    address public immutable registry;

    address[] private _agents;
    mapping(address agent => uint256 counters) private _counters;

    constructor(Wiring memory wiring) {
        registry = wiring.registry;
    }

    /// @inheritdoc IReputationRegistry
    function bump(address agent, RepKind kind) external {
        // Check:
        require(msg.sender == registry, NotAuthorized(msg.sender));

        // Effect:
        uint256 counters = _counters[agent];
        if (counters == 0) _agents.push(agent);
        uint256 shift = uint256(kind) * COUNTER_BITS;
        counters += 1 << shift;
        // The shifts clear the top 32 bits, the time of the last activity, and write the new time.
        counters = ((counters << COUNTER_BITS) >> COUNTER_BITS) | (block.timestamp << LAST_ACTIVE_SHIFT);
        _counters[agent] = counters;
        emit ReputationChanged(agent, kind, uint32(counters >> shift));
    }

    /// @inheritdoc IReputationRegistry
    function agents(
        uint256 from,
        uint256 count
    ) external view returns (address[] memory accounts, Reputation[] memory records, uint256 total) {
        total = _agents.length;
        uint256 size =
            from >= total
                ? 0
                : count < total - from
                    ? count
                    : total - from;
        accounts = new address[](size);
        records = new Reputation[](size);
        for (uint256 index = 0; index < size; ++index) {
            accounts[index] = _agents[from + index];
            records[index] = _unpack(_counters[accounts[index]]);
        }
    }

    /// @inheritdoc IReputationRegistry
    function reputationOf(address agent) external view returns (Reputation memory record, int256 score) {
        record = _unpack(_counters[agent]);
        score =
            10 * int256(uint256(record.completed)) +
            3 * int256(uint256(record.disputesWon)) -
            10 * int256(uint256(record.disputesLost)) -
            3 * int256(uint256(record.left)) -
            5 * int256(uint256(record.dismissed));
    }

    function _unpack(uint256 counters) private pure returns (Reputation memory record) {
        record.posted = uint32(counters);
        record.claimed = uint32(counters >> COUNTER_BITS);
        record.completed = uint32(counters >> (2 * COUNTER_BITS));
        record.disputesWon = uint32(counters >> (3 * COUNTER_BITS));
        record.disputesLost = uint32(counters >> (4 * COUNTER_BITS));
        record.left = uint32(counters >> (5 * COUNTER_BITS));
        record.dismissed = uint32(counters >> (6 * COUNTER_BITS));
        record.lastActive = uint32(counters >> LAST_ACTIVE_SHIFT);
    }
}
