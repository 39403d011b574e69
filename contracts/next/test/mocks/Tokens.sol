// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice An honest token that stands in for TOK and USDC alike; the hostile ones build on it.
contract MockToken is ERC20 {
    constructor() ERC20("Mock", "MOCK") {
        _mint(msg.sender, 1_000_000_000e18);
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}

/// @notice An agent that performs any call on request and reports the result.
contract Puppet {
    function act(address target, bytes calldata call) external returns (bool success, bytes memory answer) {
        return target.call(call);
    }
}

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

/// @notice A token of the old kind whose transfers answer nothing at all, once a test turns that on.
contract SilentToken is MockToken {
    bool private _silent;

    function setSilent(bool silent) external {
        _silent = silent;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        super.transfer(to, value);
        return answer();
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        super.transferFrom(from, to, value);
        return answer();
    }

    /// @dev Ends the whole call without data.
    function answer() private view returns (bool) {
        if (_silent) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        return true;
    }
}
