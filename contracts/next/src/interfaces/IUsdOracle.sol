// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPriceFeed} from "./IPriceFeed.sol";

/// @title The price of TOK in USD, or a clear word that there is none
interface IUsdOracle {
    /// @notice The feed is dead, stale, out of bounds or its sequencer down; `updatedAt` is its last time, if any.
    error StalePrice(uint256 updatedAt);

    /// @notice Whether a clock that ran out at `end` still goes on: it ran out while the sequencer was down or within the hour
    /// after, and that hour is not over. Never reverts: a feed that fails, that says nothing, or that says down for more than a
    /// week holds nobody's money. Once false for a time that has passed it stays false, unless the feed rewrites its rounds.
    function isOutage(uint64 end) external view returns (bool);

    /// @notice A Chainlink sequencer uptime feed, or zero where the chain has none.
    function sequencer() external view returns (IPriceFeed);

    /// @notice Never reverts.
    /// @return ok whether the price may be used
    /// @return priceE8 USD per TOK, 8 decimals
    /// @return updatedAt when the feed was last written
    function tryPrice() external view returns (bool ok, uint256 priceE8, uint256 updatedAt);

    /// @notice USD per TOK with 8 decimals; reverts when there is no good price.
    function price() external view returns (uint256 priceE8);

    /// @notice USD with 6 decimals, rounded down.
    function tokToUsd(uint256 tokWei) external view returns (uint256 usd6);

    /// @notice TOK wei, rounded up.
    function usdToTok(uint256 usd6) external view returns (uint256 tokWei);
}
