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
