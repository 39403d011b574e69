// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockToken} from "./MockToken.sol";

/// @notice A token that keeps a share of every transfer, once a test turns that on.
contract FeeToken is MockToken {
    uint256 private _feeBps;

    function setFee(uint256 feeBps) external {
        _feeBps = feeBps;
    }

    function _update(address from, address to, uint256 value) internal override {
        bool minting = from == address(0);
        bool burning = to == address(0);
        uint256 fee = minting || burning ? 0 : (value * _feeBps) / 10_000;
        super._update(from, to, value - fee);
        if (fee != 0) super._update(from, address(0), fee);
    }
}
