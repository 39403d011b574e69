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

/// @notice A sequencer's feed as Chainlink keeps it: a round for each change of its state.
contract RoundsFeed {
    struct Round {
        int256 down;
        uint256 since;
    }

    Round[] private _rounds;

    constructor() {
        _rounds.push();
        _rounds.push(Round(0, block.timestamp));
    }

    function set(bool down) external {
        if ((_rounds[_rounds.length - 1].down != 0) == down) return;
        _rounds.push(Round(down ? int256(1) : int256(0), block.timestamp));
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return getRoundData(uint80(_rounds.length - 1));
    }

    function getRoundData(uint80 round) public view returns (uint80, int256, uint256, uint256, uint80) {
        require(round != 0 && round < _rounds.length, "No data present");
        return (round, _rounds[round].down, _rounds[round].since, block.timestamp, round);
    }
}
