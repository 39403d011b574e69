// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockToken} from "./MockToken.sol";

/// @notice A token with a denylist, as USDC has one: a denied account can neither send, nor receive, nor spend for
/// others.
contract DenyingToken is MockToken {
    error Denied(address account);

    mapping(address account => bool) private _denied;

    function setDenied(address account, bool denied) external {
        _denied[account] = denied;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!_denied[msg.sender], Denied(msg.sender));
        require(!_denied[from], Denied(from));
        require(!_denied[to], Denied(to));
        super._update(from, to, value);
    }
}
