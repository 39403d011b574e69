// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IPriceFeed} from "./interfaces/IPriceFeed.sol";
import {IUsdOracle} from "./interfaces/IUsdOracle.sol";

/// @title UsdOracle
/// @notice See IUsdOracle. Only plan payments in TOK depend on its price. Every clock of the market depends on its word
/// about outages, by a week and an hour at most.
contract UsdOracle is IUsdOracle {
    /// @dev After a sequencer outage a price is trusted again only when publishers had time to answer.
    uint256 public constant GRACE = 1 hours;
    /// @dev A feed that reports an outage for longer than this is ignored.
    uint256 public constant LONGEST_OUTAGE = 7 days;
    /// @dev A feed that burns gas must not take a caller's transaction with it.
    uint256 private constant FEED_GAS = 200_000;
    /// @dev TOK wei times USD with 8 decimals, over USD with 6 decimals.
    uint256 private constant SCALE = 1e20;

    IPriceFeed public immutable feed;
    /// @inheritdoc IUsdOracle
    IPriceFeed public immutable sequencer;
    uint256 public immutable maxAge;
    uint256 public immutable minE8;
    uint256 public immutable maxE8;

    constructor(IPriceFeed feed_, IPriceFeed sequencer_, uint256 maxAge_, uint256 minE8_, uint256 maxE8_) {
        feed = feed_;
        sequencer = sequencer_;
        maxAge = maxAge_;
        minE8 = minE8_;
        maxE8 = maxE8_;
    }

    /// @inheritdoc IUsdOracle
    function isOutage(uint64 end) external view returns (bool) {
        if (address(sequencer) == address(0)) return false;
        (bool ok, uint256 round, int256 down, uint256 since, ) = _read(
            sequencer,
            abi.encodeCall(IPriceFeed.latestRoundData, ())
        );
        if (!ok || since == 0 || since > block.timestamp) return false;
        if (down != 0) return end >= since && block.timestamp - since <= LONGEST_OUTAGE;
        if (round == 0 || block.timestamp - since > GRACE || end > since + GRACE) return false;

        // The chain came up within the last hour: what ran out since it went down waits until that hour is over.
        (bool known, , int256 wasDown, uint256 began, ) = _read(
            sequencer,
            abi.encodeWithSignature("getRoundData(uint80)", uint80(round - 1))
        );
        return known && wasDown != 0 && end >= began && began <= since && since - began <= LONGEST_OUTAGE;
    }

    /// @inheritdoc IUsdOracle
    function tryPrice() public view returns (bool ok, uint256 priceE8, uint256 updatedAt) {
        int256 answer;
        (ok, , answer, , updatedAt) = _read(feed, abi.encodeCall(IPriceFeed.latestRoundData, ()));
        if (!ok || !_sequencerUp()) return (false, 0, updatedAt);
        bool fresh = updatedAt <= block.timestamp && block.timestamp - updatedAt <= maxAge;
        bool inBounds = answer > 0 && uint256(answer) >= minE8 && uint256(answer) <= maxE8;
        if (!fresh || !inBounds) return (false, 0, updatedAt);
        priceE8 = uint256(answer);
    }

    /// @inheritdoc IUsdOracle
    function price() public view returns (uint256 priceE8) {
        (bool ok, uint256 current, uint256 updatedAt) = tryPrice();
        require(ok, StalePrice(updatedAt));
        return current;
    }

    /// @inheritdoc IUsdOracle
    function tokToUsd(uint256 tokWei) external view returns (uint256 usd6) {
        return Math.mulDiv(tokWei, price(), SCALE);
    }

    /// @inheritdoc IUsdOracle
    function usdToTok(uint256 usd6) external view returns (uint256 tokWei) {
        return Math.mulDiv(usd6, SCALE, price(), Math.Rounding.Ceil);
    }

    function _sequencerUp() private view returns (bool) {
        if (address(sequencer) == address(0)) return true;
        (bool ok, , int256 down, uint256 since, ) = _read(sequencer, abi.encodeCall(IPriceFeed.latestRoundData, ()));
        return ok && down == 0 && since != 0 && since <= block.timestamp && block.timestamp - since > GRACE;
    }

    /// @dev A plain call instead of try/catch: neither missing code nor malformed data may revert here.
    function _read(
        IPriceFeed source,
        bytes memory call
    ) private view returns (bool ok, uint256 round, int256 answer, uint256 startedAt, uint256 updatedAt) {
        (bool success, bytes memory data) = address(source).staticcall{gas: FEED_GAS}(call);
        if (!success || data.length < 160) return (false, 0, 0, 0, 0);
        (round, answer, startedAt, updatedAt, ) = abi.decode(data, (uint256, int256, uint256, uint256, uint256));
        ok = true;
    }
}
