// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPriceFeed} from "../../src/interfaces/IPriceFeed.sol";

/// @notice A Chainlink-shaped feed, of a price or of a sequencer's state, that reports what a test sets.
contract MockFeed is IPriceFeed {
    uint8 public constant decimals = 8;

    int256 private _answer;
    uint256 private _startedAt;
    uint256 private _updatedAt;

    function set(int256 answer, uint256 startedAt, uint256 updatedAt) external {
        (_answer, _startedAt, _updatedAt) = (answer, startedAt, updatedAt);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, _answer, _startedAt, _updatedAt, 1);
    }
}

/// @notice A feed that fails its readers in every way a foreign contract can.
contract BrokenFeed {
    enum Fault {
        ANSWERS_RAW,
        REVERTS,
        LOOPS,
        HITS_AN_INVALID_OPCODE,
        RETURNS_A_BOMB
    }

    // As long as the gas that a reader may hand out lets memory grow.
    uint256 private constant BOMB_BYTES = 250_000;

    Fault private immutable _fault;
    bytes private _raw;

    constructor(Fault fault, bytes memory raw) {
        _fault = fault;
        _raw = raw;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        if (_fault == Fault.REVERTS) revert("the feed is down");
        while (_fault == Fault.LOOPS) {}
        if (_fault == Fault.HITS_AN_INVALID_OPCODE) {
            assembly {
                invalid()
            }
        }
        if (_fault == Fault.RETURNS_A_BOMB) {
            // An answer of -1, so that only its length could make a reader take it for good.
            assembly {
                mstore(0x20, not(0))
                return(0, BOMB_BYTES)
            }
        }
        return _raw;
    }
}
