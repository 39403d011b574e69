// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockToken} from "./MockToken.sol";
import {Puppet} from "./Puppet.sol";

/// @notice A token that hands control to a stranger in the middle of one of its movements, as ERC-777 did.
contract CallbackToken is MockToken {
    struct Attack {
        Puppet puppet;
        address target;
        bytes call;
        uint256 atMovement;
        bool beforeMoving;
    }

    Attack private _attack;
    bool private _armed;

    /// @notice Movements since the arming, up to the attack.
    uint256 public movements;
    bool public succeeded;
    bytes public answer;

    function arm(Attack calldata attack) external {
        _attack = attack;
        _armed = true;
        movements = 0;
    }

    function _update(address from, address to, uint256 value) internal override {
        bool due = _armed && ++movements == _attack.atMovement;
        if (due) _armed = false;
        if (due && _attack.beforeMoving) strike();
        super._update(from, to, value);
        if (due && !_attack.beforeMoving) strike();
    }

    function strike() private {
        (succeeded, answer) = _attack.puppet.act(_attack.target, _attack.call);
    }
}
