// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {BPS} from "./Types.sol";
import {IPostedPriceFeed} from "./interfaces/IPostedPriceFeed.sol";
import {IPriceFeed} from "./interfaces/IPriceFeed.sol";

/// @title PostedPriceFeed
/// @notice See IPostedPriceFeed. Chainlink-shaped, so that a real feed can take its place behind a new oracle.
contract PostedPriceFeed is IPostedPriceFeed, Ownable2Step {
    uint8 public constant decimals = 8;

    uint16 public immutable maxStepBps;
    uint64 public immutable minInterval;

    int256 public answer;
    uint80 public round;
    uint64 public updatedAt;
    mapping(address publisher => bool) public isPublisher;

    constructor(address owner_, uint16 maxStepBps_, uint64 minInterval_) Ownable(owner_) {
        maxStepBps = maxStepBps_;
        minInterval = minInterval_;
    }

    /// @inheritdoc IPostedPriceFeed
    function publish(int256 newAnswer) external {
        // Check:
        require(isPublisher[msg.sender], NotPublisher(msg.sender));
        require(newAnswer > 0, BadPrice(newAnswer));
        if (round != 0) _checkStep(newAnswer);

        // Effect:
        answer = newAnswer;
        updatedAt = uint64(block.timestamp);
        emit AnswerUpdated(newAnswer, ++round, block.timestamp);
    }

    /// @inheritdoc IPostedPriceFeed
    function setPublisher(address publisher, bool allowed) external onlyOwner {
        // Effect:
        isPublisher[publisher] = allowed;
        emit PublisherSet(publisher, allowed);
    }

    /// @inheritdoc IPriceFeed
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (round, answer, updatedAt, updatedAt, round);
    }

    function _checkStep(int256 newAnswer) private view {
        uint256 next = uint256(updatedAt) + minInterval;
        require(block.timestamp >= next, TooSoon(next));
        int256 step = newAnswer > answer ? newAnswer - answer : answer - newAnswer;
        // Dividing instead of multiplying: an absurd answer must not overflow into another error.
        require(step <= (answer * int256(uint256(maxStepBps))) / int256(uint256(BPS)), StepTooLarge(answer, newAnswer));
    }
}
