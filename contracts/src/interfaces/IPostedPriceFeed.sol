// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPriceFeed} from "./IPriceFeed.sol";

/// @title A price feed that named publishers write, in small steps
interface IPostedPriceFeed is IPriceFeed {
    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);
    event PublisherSet(address indexed publisher, bool allowed);

    error BadPrice(int256 answer);
    error NotPublisher(address caller);
    error StepTooLarge(int256 previous, int256 answer);
    error TooSoon(uint256 possibleAt);

    /// @notice Publishers only: writes a new answer, within the allowed step of the last one.
    function publish(int256 answer) external;

    /// @notice Owner only.
    function setPublisher(address publisher, bool allowed) external;

    function isPublisher(address publisher) external view returns (bool);
}
