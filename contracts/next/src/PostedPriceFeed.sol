// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {BPS} from "./Types.sol";
import {IPriceFeed} from "./interfaces/IPriceFeed.sol";

/// @title PostedPriceFeed
/// @notice A price feed that named publishers write, in small steps. Chainlink-shaped, so that a real feed can take its
/// place behind a new oracle.
contract PostedPriceFeed is IPriceFeed, Ownable2Step {
    /// @notice A publisher wrote the price `current` as this round.
    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);
    /// @notice The owner allowed or removed a publisher.
    event PublisherSet(address indexed publisher, bool allowed);
    /// @notice A price is above zero.
    error BadPrice(int256 answer);
    /// @notice The caller is not among the publishers.
    error NotPublisher(address caller);
    /// @notice The answer is further from the previous one than a single step may be.
    error StepTooLarge(int256 previous, int256 answer);
    /// @notice The next answer may be written from `possibleAt` on, in Unix seconds.
    error TooSoon(uint256 possibleAt);

    uint8 public constant decimals = 8;

    uint16 public immutable maxStepBps;
    uint64 public immutable minInterval;

    int256 public answer;
    uint80 public round;
    uint64 public updatedAt;
    /// @notice Whether the account may publish.
    mapping(address publisher => bool) public isPublisher;

    constructor(address owner_, uint16 maxStepBps_, uint64 minInterval_) Ownable(owner_) {
        maxStepBps = maxStepBps_;
        minInterval = minInterval_;
    }

    /// @notice Publishers only: writes a new answer, within the allowed step of the last one.
    /// @dev Emits AnswerUpdated. `answer` has the feed's decimals.
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

    /// @notice Owner only.
    /// @dev Emits PublisherSet.
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
        // Rounded up, so that the smallest price can still move; mulDiv, so that an absurd one does not overflow.
        uint256 maxStep = Math.mulDiv(uint256(answer), maxStepBps, BPS, Math.Rounding.Ceil);
        require(uint256(step) <= maxStep, StepTooLarge(answer, newAnswer));
    }
}
