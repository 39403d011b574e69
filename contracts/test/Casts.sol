// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @dev What an amount or a sum reverts with that the contracts cannot count.
function beyond96Bits(uint256 value) pure returns (bytes memory) {
    return abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, uint8(96), value);
}
