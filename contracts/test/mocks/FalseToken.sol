// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockToken} from "./MockToken.sol";

/// @notice A token that answers a transfer with false and moves nothing, once a test turns that on.
contract FalseToken is MockToken {
    bool private _refusing;

    function setRefusing(bool refusing) external {
        _refusing = refusing;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        return !_refusing && super.transfer(to, value);
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        return !_refusing && super.transferFrom(from, to, value);
    }
}
